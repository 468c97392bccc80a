import { parentPort, type Transferable } from 'node:worker_threads';
import type { ThreadMessage } from './thread.ts';

/** Answers the requests of a Thread, from inside of it; `transfer` is what goes over rather than be copied. */
export function serveRequests<Request, Answer>(
  work: (request: Request) => { readonly answer: Answer; readonly transfer?: Transferable[] },
): void {
  const tell = (message: ThreadMessage<Answer>, transfer: Transferable[] = []) =>
    parentPort?.postMessage(message, transfer);
  parentPort?.on('message', (request: Request) => {
    try {
      const { answer, transfer } = work(request);
      tell({ answer }, transfer);
    } catch (failure) {
      tell({ failure });
    }
  });
  // Not before all modules have run: until then the thread must not be terminated.
  setImmediate(() => tell('loaded'));
}
