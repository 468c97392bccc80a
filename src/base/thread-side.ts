import { parentPort, type Transferable } from 'node:worker_threads';
import type { ThreadMessage } from './thread.ts';

/** What comes of a request; `transfer` is what goes over rather than be copied. */
interface Done<Answer> {
  readonly answer: Answer;
  readonly transfer?: Transferable[];
}

/** Answers the requests of a Thread, from inside of it: the next one comes when this one is answered. */
export function serveRequests<Request, Answer>(work: (request: Request) => Done<Answer> | Promise<Done<Answer>>): void {
  const tell = (message: ThreadMessage<Answer>, transfer: Transferable[] = []) =>
    parentPort?.postMessage(message, transfer);
  parentPort?.on('message', async (request: Request) => {
    try {
      const { answer, transfer } = await work(request);
      tell({ answer }, transfer);
    } catch (failure) {
      tell({ failure });
    }
  });
  // Not before all modules have run: until then the thread must not be terminated.
  setImmediate(() => tell('loaded'));
}
