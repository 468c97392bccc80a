import type { Log } from '../../../base/log/log.ts';
import { SqlError } from '../../../base/messages/sql-error.ts';
import type { Client } from '../../../client/client.ts';
import { getIncompleteCommands } from '../../../protocols/search/crawls/get-incomplete-commands.ts';
import { reportCommandCompleted } from '../../../protocols/search/crawls/report-command-completed.ts';
import { mergeTexts } from '../../../protocols/search/full-text/merge-texts.ts';
import { getPauseStatus } from '../../../protocols/search/status-changes/get-pause-status.ts';
import { unknownProcedure } from '../../dispatch/unknown-procedure.ts';
import { Role, rest } from '../role.ts';
import { applicationOf, crawlComponentName, indexerName, mergeRequest, projects } from '../store/application.ts';
import { Farm } from '../store/farm.ts';

interface MergerOptions {
  /** The administration database. */
  readonly admin: Client;
  /** The number of the crawl component. */
  readonly number: number;
  readonly log: Log;
  /** Milliseconds between two polls for requested merges. */
  readonly interval: number;
}

/** Bits of @lIsMasterMergePaused (3.1.5.49). */
const pauseBits = { paused: 0x1, reset: 0x2 };

/**
 * Executes the master merges requested of a crawl component (3.2.5.8). Both catalogs are one index, that of the
 * property stores: a merge of either merges it as a whole, and a repeated one finds nothing to do.
 */
export class IndexMerger extends Role {
  readonly #options: MergerOptions;

  constructor(options: MergerOptions) {
    super(options.log.with({ merges: options.number }));
    this.#options = options;
  }

  protected async live(signal: AbortSignal): Promise<void> {
    const { admin, interval } = this.#options;
    do {
      const farm = await Farm.of(admin);
      // The Foundation role has no commands (3.3.5).
      if (!farm.isFoundation) await this.#look(farm, signal);
    } while (await rest(interval, signal));
  }

  async #look(farm: Farm, signal: AbortSignal): Promise<void> {
    const { admin, number } = this.#options;
    const application = await applicationOf(admin);
    const own = crawlComponentName(application, number);
    for (const { name: ProjectName } of projects) {
      const asked = await this.#asked(indexerName(own, ProjectName));
      const isPaused = () => this.#isPaused({ ComponentName: own, ProjectName });
      if (asked.length === 0 || !(await this.#merge(farm.propertyStores, isPaused, signal))) continue;
      for (const CommandID of asked) await admin.call(reportCommandCompleted, { CommandID }, { idempotent: true });
      this.log.info('the index was merged', { commands: asked.length });
    }
  }

  /** The merges requested of an indexer and not yet executed. */
  async #asked(ObjectName: string): Promise<readonly bigint[]> {
    const { sets } = await this.#options.admin.call(getIncompleteCommands, { ObjectName }, { idempotent: true });
    return sets.commands
      .filter(({ Description }) => Description.toLowerCase() === mergeRequest)
      .map(({ CommandID }) => CommandID);
  }

  /** Whether merges must not continue: they are paused, or a reset is requested (3.2.5.5). */
  async #isPaused(own: { readonly ComponentName: string; readonly ProjectName: string }): Promise<boolean> {
    const { output } = await this.#options.admin.call(getPauseStatus, own, { idempotent: true });
    return ((output.lIsMasterMergePaused ?? 0) & (pauseBits.paused | pauseBits.reset)) !== 0;
  }

  /** Merges in small steps, between which others write; false if it has to continue later. */
  async #merge(stores: readonly Client[], isPaused: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    for (const store of stores) {
      let isMerged = false;
      for (let IsFirst = true; !isMerged; IsFirst = false) {
        if (signal.aborted || (await isPaused())) return false;
        isMerged = await mergeStep(store, IsFirst);
      }
    }
    return true;
  }
}

/** True when nothing is left; a store without an index has nothing to merge. */
async function mergeStep(store: Client, IsFirst: boolean): Promise<boolean> {
  try {
    const { output } = await store.call(mergeTexts, { IsFirst }, { idempotent: true });
    return output.IsMerged === true;
  } catch (error) {
    if (error instanceof SqlError && error.number === unknownProcedure) return true;
    throw error;
  }
}
