import { Thread } from '../../base/threads/thread.ts';
import { Refused } from '../negotiation.ts';
import type { GssAnswer, GssRequest } from './gss-thread.ts';

/** Milliseconds without a call after which the thread ends; longer than any negotiation takes. */
const idleTime = 3_700_000;

/**
 * Runs GSSAPI in a thread: it reads the keytab, writes the replay cache and, for a client, contacts the KDC, which
 * would block everybody else.
 */
export class GssCalls implements AsyncDisposable {
  readonly #thread = new Thread<GssRequest, GssAnswer>(new URL('./gss-thread.ts', import.meta.url), {
    idleTime,
    isKept: true,
    // Node warns that node:ffi may change; an operator can do nothing about that.
    flags: ['--disable-warning=ExperimentalWarning'],
  });
  #last = 0;

  /** A unique number for a context. */
  nextContext(): number {
    return ++this.#last;
  }

  /** Sends a request; throws Refused with the library's message if the library refuses, or the reason of the signal. */
  async run(request: GssRequest, signal?: AbortSignal): Promise<Exclude<GssAnswer, { refused: string }>> {
    const answer = await this.#thread.run(request, { signal });
    if ('refused' in answer) throw new Refused(answer.refused);
    return answer;
  }

  /** Releases a context. Nobody waits for it, and a thread that has ended has released it already. */
  close(context: number): void {
    this.#thread.run({ kind: 'close', context }).catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread.stop();
  }
}
