import type { Client } from '../../../client/client.ts';
import { crawlAdmin } from '../../../protocols/search/crawls/crawl-admin.ts';
import { crawl } from '../../../protocols/search/gather/crawl.ts';

/** The inputs of a stage; what is left out is NULL. */
export interface StageInput {
  readonly ComponentID?: number;
  readonly ProjectID?: number;
  readonly CrawlType?: number;
  readonly CrawlID?: number;
  readonly ContentSourceID?: number;
  readonly MiscInputData?: number;
}

/** What a stage answers. */
interface StageOutput {
  readonly misc: number;
  readonly status: number;
  readonly subStatus: number;
}

const nothing = {
  ComponentID: null,
  ProjectID: null,
  CrawlType: null,
  CrawlID: null,
  ContentSourceID: null,
  ApplicationType: 0,
  MiscInputData: null,
};

/** Stages that ask for a new crawl: done twice they would ask for two. */
const asksForMore = new Set([100, 160, 161, 164]);

/** Runs a stage of proc_MSS_CrawlAdmin. */
export async function adminStage(admin: Client, stage: number, input: StageInput = {}): Promise<StageOutput> {
  const { output } = await admin.call(
    crawlAdmin,
    { ...nothing, CrawlStage: stage, ...input },
    { idempotent: !asksForMore.has(stage) },
  );
  return outputOf(output);
}

/** Runs a stage of proc_MSS_Crawl. */
export async function storeStage(store: Client, stage: number, input: StageInput = {}): Promise<StageOutput> {
  const { output } = await store.call(crawl, { ...nothing, CrawlStage: stage, ...input }, { idempotent: true });
  return outputOf(output);
}

const outputOf = (output: {
  readonly MiscOutputData?: number | null;
  readonly CrawlStatus?: number | null;
  readonly CrawlSubStatus?: number | null;
}): StageOutput => ({
  misc: output.MiscOutputData ?? 0,
  status: output.CrawlStatus ?? 0,
  subStatus: output.CrawlSubStatus ?? 0,
});
