import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { crawlStatus, crawlType, project } from '../../protocols/search/crawls/crawl-status.ts';
import { datetime, int } from '../../tds/types/index.ts';
import { readUnvisited, type Unvisited } from './master/unvisited.ts';
import { parseRules, type SourceRules } from './rules/source-rules.ts';
import { applicationOf, crawlComponentName, indexerName, mergeRequest, projects } from './store/application.ts';
import { readSetting, settingNames, writeSetting } from './store/settings.ts';
import { type ContentSource, SourceBook } from './store/source-book.ts';
import { adminStage } from './store/stages.ts';

/** What a crawl does with its content source. */
export type CrawlKind = 'full' | 'incremental' | 'delete';

/** A requested crawl. */
export interface CrawlState {
  readonly id: number;
  readonly status: number;
  readonly subStatus: number;
  readonly started: Date | null;
  readonly ended: Date | null;
}

/** The status that a crawl must have for a request to take effect: stages 120 and 130 silently ignore all others. */
export const heeding: { readonly [what in 'pause' | 'resume' | 'stop']?: number } = {
  pause: crawlStatus.started,
  resume: crawlStatus.paused,
};

/** Administration of crawls: records requests for crawls and their control; the master carries them out. */
export class Administration {
  readonly #admin: Client;
  readonly #sources: SourceBook;

  constructor(admin: Client) {
    this.#admin = admin;
    this.#sources = new SourceBook(admin);
  }

  /** The content sources with their rules. */
  sources(): Promise<ContentSource[]> {
    return this.#sources.all();
  }

  /** Changes some rules of a content source and leaves the others unchanged. Throws WrongRules. */
  async changeRules(source: number, changes: Partial<SourceRules>): Promise<void> {
    const written = await readSetting(this.#admin, settingNames.rules(source));
    await this.setRules(source, { ...(written === undefined ? {} : JSON.parse(written)), ...changes });
  }

  /** Sets the rules of a content source; the others get their defaults. Throws WrongRules. */
  async setRules(source: number, rules: Partial<SourceRules>): Promise<void> {
    const text = JSON.stringify(rules);
    parseRules(text);
    await writeSetting(this.#admin, settingNames.rules(source), text);
  }

  /** Requests a crawl of a content source and returns its identifier. */
  async start(source: number, kind: CrawlKind, { force = false } = {}): Promise<number> {
    const crawl = kind === 'delete' ? await this.#startDelete(source) : await this.#startCrawl(source, kind);
    if (force) await this.force(crawl);
    return crawl;
  }

  async #startCrawl(source: number, kind: 'full' | 'incremental'): Promise<number> {
    const asked = { ProjectID: project.portalContent, CrawlType: crawlType[kind], ContentSourceID: source };
    return (await adminStage(this.#admin, 100, asked)).misc;
  }

  /** Stage 164 does not return the crawl: it is the latest one of its content source. */
  async #startDelete(source: number): Promise<number> {
    await adminStage(this.#admin, 160, { ContentSourceID: source });
    await adminStage(this.#admin, 164, { ProjectID: project.portalContent, ContentSourceID: source });
    const [row] = await this.#admin.select(
      { id: orNull(int) },
      'select max(CrawlID) as id from CrawlStatus where ContentSourceID = @source and CrawlType = 3',
      { source },
    );
    return row?.id ?? 0;
  }

  async stop(source: number): Promise<void> {
    await adminStage(this.#admin, 110, { ContentSourceID: source });
  }

  async pause(source: number): Promise<void> {
    await adminStage(this.#admin, 120, { ContentSourceID: source });
  }

  async resume(source: number): Promise<void> {
    await adminStage(this.#admin, 130, { ContentSourceID: source });
  }

  /** Allows a crawl to delete what it has not visited, however much that is. */
  async force(crawl: number): Promise<void> {
    await writeSetting(this.#admin, settingNames.force(crawl), 'yes');
  }

  /** Requests a master merge of the index from all crawl components, and returns how many there are (3.2.5.8). */
  async requestMerge(): Promise<number> {
    const application = await applicationOf(this.#admin);
    const components = await this.#admin.select(
      { number: int },
      'select CrawlComponentNumber as number from CrawlComponents',
    );
    for (const { number } of components) {
      for (const { name } of projects) {
        const object = indexerName(crawlComponentName(application, number), name);
        await this.#admin.query(
          `insert into Commands (ObjectName, Description, CreatedUtcTime) values (@object, N'${mergeRequest}', getutcdate())`,
          { object },
        );
      }
    }
    return components.length;
  }

  /** What a crawl would delete, once it has got that far. */
  unvisited(crawl: number): Promise<Unvisited | undefined> {
    return readUnvisited({ admin: this.#admin }, crawl);
  }

  /** The progress of a crawl; undefined if it does not exist. */
  async state(crawl: number): Promise<CrawlState | undefined> {
    const [row] = await this.#admin.select(
      { id: int, status: int, subStatus: int, started: orNull(datetime), ended: orNull(datetime) },
      `select CrawlID as id, Status as status, SubStatus as subStatus, StartTime as started, EndTime as ended
       from CrawlStatus where CrawlID = @crawl`,
      { crawl },
      { idempotent: true },
    );
    return row;
  }
}
