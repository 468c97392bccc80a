import type { BoundRows, GivenRows } from '../../db.ts';
import type { Link } from '../wire/link.ts';
import { CopyRows, type CopyType } from './copy-rows.ts';

/** The share of a node's permitted silence for which a COPY waits for more rows. */
const longestPause = 0.1;

/**
 * Copies rows in as they arrive. PostgreSQL has no timeout for a COPY whose sender is silent, only for an idle
 * transaction. So a COPY is ended when no rows arrive for a while and a new one is started when they do; a COPY that
 * waits longer belongs to a node that hangs (`hung-copies.ts`).
 */
export async function copied(
  link: Link,
  text: string,
  types: readonly CopyType[],
  batches: AsyncIterable<BoundRows | GivenRows>,
  signal: AbortSignal | undefined,
): Promise<number> {
  using _ = link.keepAwake();
  let count = 0;
  for await (const piece of pieces(batches, longestPause * link.longestRest)) {
    count += await link.copyIn(text, chunksOf(new CopyRows(types), piece, signal), signal);
  }
  return count;
}

/** Splits the input into parts that never wait long for their next rows. */
async function* pieces(
  batches: AsyncIterable<BoundRows | GivenRows>,
  pause: number,
): AsyncGenerator<AsyncGenerator<BoundRows | GivenRows, void>, void> {
  const source = batches[Symbol.asyncIterator]();
  let next = source.next();
  const piece = async function* (first: BoundRows | GivenRows) {
    for (let rows = first; ; ) {
      yield rows;
      next = source.next();
      const come = await soon(next, pause);
      if (come === undefined || come.done === true) return;
      rows = come.value;
    }
  };
  try {
    for (let first = await next; first.done !== true; first = await next) {
      yield piece(first.value);
    }
  } finally {
    await source.return?.();
  }
}

/** The next item if it arrives within that many milliseconds, otherwise undefined. */
async function soon<T>(coming: Promise<T>, pause: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), pause);
  // The next wait for it will observe a failure.
  coming.catch(() => {});
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function* chunksOf(
  copy: CopyRows,
  batches: AsyncIterable<BoundRows | GivenRows>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  for await (const rows of batches) {
    signal?.throwIfAborted();
    copy.add(rows);
    yield* copy.take();
  }
  copy.end();
  yield* copy.take();
}
