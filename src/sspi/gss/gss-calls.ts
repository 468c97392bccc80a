import { Thread } from '../../base/thread.ts';
import { Refused } from '../negotiation.ts';
import type { GssAnswer, GssRequest } from './gss-thread.ts';

/** Milliseconds without a call after which the thread ends; longer than any negotiation takes. */
const idleTime = 3_700_000;

/**
 * GSSAPI in a thread of its own: it reads the keytab, writes the replay cache and, for a client, asks the KDC, and nobody
 * else is to wait for that.
 */
export class GssCalls implements AsyncDisposable {
  readonly #thread = new Thread<GssRequest, GssAnswer>(new URL('./gss-thread.ts', import.meta.url), {
    idleTime,
    isKept: true,
    // Node warns that node:ffi may change, which is nothing an operator can act on.
    flags: ['--disable-warning=ExperimentalWarning'],
  });
  #last = 0;

  /** A number for a context that no other has. */
  nextContext(): number {
    return ++this.#last;
  }

  /** Asks it; throws Refused with the library's words where the library refuses, and the reason of the signal. */
  async run(request: GssRequest, signal?: AbortSignal): Promise<Exclude<GssAnswer, { refused: string }>> {
    const answer = await this.#thread.run(request, { signal });
    if ('refused' in answer) throw new Refused(answer.refused);
    return answer;
  }

  /** Gives a context back; nobody waits for that, and a thread that has ended has given it back. */
  close(context: number): void {
    this.#thread.run({ kind: 'close', context }).catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread.stop();
  }
}
