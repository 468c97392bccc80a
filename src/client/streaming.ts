import { ClientError } from './client-error.ts';
import type { Limits } from './exchange.ts';
import { RowStream } from './row-stream.ts';
import type { Session } from './session.ts';

/** Runs a request whose rows are streamed: `use` lends the session that it runs on. */
export function streaming<Item, End>(
  use: (work: (session: Session) => Promise<End>, signal: AbortSignal) => Promise<End>,
  run: (session: Session, push: (item: Item) => void, limits: Limits) => Promise<End>,
  { signal, timeout }: Limits,
): RowStream<Item, End> {
  const left = new AbortController();
  const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
  let session: Session | undefined;
  return new RowStream<Item, End>({
    run: (push) =>
      use((lent) => {
        session = lent;
        return run(lent, push, { signal: either, timeout });
      }, either),
    pause: () => session?.pause(),
    resume: () => session?.resume(),
    stop: () => left.abort(new ClientError('closed', 'the reader of the rows has stopped', { sent: true })),
  });
}
