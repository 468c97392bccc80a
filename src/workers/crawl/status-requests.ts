import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { checkIfStatusChangeComplete } from '../../protocols/search/status-changes/check-if-status-change-complete.ts';
import { getPauseCrawlsReasons } from '../../protocols/search/status-changes/get-pause-crawls-reasons.ts';
import { isPauseCrawlsPortalContentDone } from '../../protocols/search/status-changes/is-pause-crawls-portal-content-done.ts';
import { setRequestToPauseCrawlsPortalContent } from '../../protocols/search/status-changes/set-request-to-pause-crawls-portal-content.ts';
import { setStatusChangeRequest } from '../../protocols/search/status-changes/set-status-change-request.ts';
import { int } from '../../tds/types/index.ts';
import { rest } from './role.ts';

/** What is paused (3.1.5.80). */
export const pauseLevel = { masterMerges: 1, crawls: 2 } as const;
type Level = (typeof pauseLevel)[keyof typeof pauseLevel];

/** Why everybody pauses (2.2.2.1). */
export const pauseReason = { backup: 0x2, refactoring: 0x20, external: 0x80 } as const;

const nothing = { HaveResetRequest: 0, HavePauseRequest: 0, Level: 0, Reason: 0 };
const unchecked = { CheckIfResetDone: 0, CheckIfPauseDone: 0, CheckIfResumeDone: 0, Level: 0, Reason: 0 };

interface WaitOptions {
  /** Milliseconds between two looks whether all components have done it. */
  readonly interval: number;
  readonly signal: AbortSignal;
}

/** The application that asks something of all components at once, and waits until each has done it (3.2.5.5). */
export class StatusRequests {
  readonly #admin: Client;
  readonly #options: WaitOptions;

  constructor(admin: Client, options: WaitOptions) {
    this.#admin = admin;
    this.#options = options;
  }

  /** Lets crawls or master merges rest; for a refactoring of databases the crawls of contents come first. */
  async pause(level: Level, reason: number): Promise<void> {
    if (reason === pauseReason.refactoring) {
      await this.#admin.call(setRequestToPauseCrawlsPortalContent, { Reason: reason }, { idempotent: true });
      await this.#until(
        async () =>
          (await this.#admin.call(isPauseCrawlsPortalContentDone, {}, { idempotent: true })).outcome === 'paused',
      );
    }
    await this.#ask({ ...nothing, HavePauseRequest: 1, Level: level, Reason: reason });
    await this.#done({ ...unchecked, CheckIfPauseDone: 1, Level: level, Reason: reason });
  }

  /** Withdraws a reason: they continue, unless there is another one. */
  async resume(level: Level, reason: number): Promise<void> {
    const reasons = level === pauseLevel.crawls ? await this.reasons() : await this.#mergeReasons();
    await this.#ask({ ...nothing, Level: level, Reason: reasons & ~reason });
    await this.#done({ ...unchecked, CheckIfResumeDone: 1, Level: level, Reason: reason });
  }

  /** Has everything forgotten that was crawled. */
  async reset(): Promise<void> {
    await this.#ask({ ...nothing, HaveResetRequest: 1 });
    await this.#done({ ...unchecked, CheckIfResetDone: 1 });
  }

  /** Why crawls rest: 0 when they do not. */
  async reasons(): Promise<number> {
    return (await this.#admin.call(getPauseCrawlsReasons, {}, { idempotent: true })).returns;
  }

  /**
   * The reasons why master merges are paused, which no procedure returns: all records of a project have the same
   * (3.1.1.35).
   */
  async #mergeReasons(): Promise<number> {
    const [row] = await this.#admin.select(
      { reasons: orNull(int) },
      'select max(DPR_MasterMerge) as reasons from ComponentActivity',
      {},
      { idempotent: true },
    );
    return row?.reasons ?? 0;
  }

  async #ask(request: typeof nothing): Promise<void> {
    await this.#admin.call(setStatusChangeRequest, request, { idempotent: true });
  }

  #done(check: typeof unchecked): Promise<void> {
    return this.#until(
      async () =>
        (await this.#admin.call(checkIfStatusChangeComplete, check, { idempotent: true })).outcome === 'complete',
    );
  }

  async #until(isDone: () => Promise<boolean>): Promise<void> {
    const { interval, signal } = this.#options;
    while (!(await isDone())) if (!(await rest(interval, signal))) throw signal.reason;
  }
}
