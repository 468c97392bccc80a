import { parentPort, type Transferable } from 'node:worker_threads';
import type { ThreadMessage } from './thread.ts';

/** The result of a request; `transfer` lists what is transferred instead of copied. */
interface Done<Answer> {
  readonly answer: Answer;
  readonly transfer?: Transferable[];
}

/** The worker's side of a Thread: answers its requests one after another. */
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
  // Only after all modules have run: until then the thread must not be terminated.
  setImmediate(() => tell('loaded'));
}
