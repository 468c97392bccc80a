import type { BoundRows, GivenRows } from '../db.ts';
import { CopyRows, type CopyType } from './copy-rows.ts';
import type { Link } from './link.ts';

/** The share of the time that a node may stand still for which a COPY waits for the next rows. */
const longestPause = 0.1;

/**
 * Copies rows in as they come. PostgreSQL has no limit for a COPY whose sender stands still, but for an idle transaction: so a
 * COPY ends when no rows come for a while, the next goes on when they do, and one that waits is known to be of a node that
 * stands still (`standing-copies.ts`).
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

/** Cuts what comes into pieces that do not wait long for their next rows. */
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

/** What comes within so many milliseconds, or undefined. */
async function soon<T>(coming: Promise<T>, pause: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), pause);
  // Whoever waits for it later hears of its failure.
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
