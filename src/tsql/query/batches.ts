import type { Turn } from '../../base/threads/turn.ts';
import type { Env } from '../evaluate/compiled.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';

/** Rows passing through a query in batches, so that waiting costs little. */
export type Batches<T> = AsyncIterable<readonly T[]>;

export const batchSize = 256;

/** Rows that are already available. The first batches are small: a consumer of one row does not pay for many. */
export async function* inBatches<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  let size = 16;
  for (let at = 0; at < rows.length; at += size, size = Math.min(batchSize, size * 2)) yield rows.slice(at, at + size);
}

/** Rows that are produced on demand. */
export async function* drawnInBatches<T>(rows: Iterable<T>): AsyncGenerator<readonly T[]> {
  let size = 16;
  let batch: T[] = [];
  for (const row of rows) {
    if (batch.push(row) < size) continue;
    yield batch;
    size = Math.min(batchSize, size * 2);
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** How many small steps pass between two checks of the clock. */
const stepsBetweenLooks = 4;

/**
 * Evaluates something for each row and keeps what `keep` adds to the next batch. Rows before an error are passed on
 * first. If there are subqueries to run, each row is passed on at once, since the next one may not be needed.
 */
export async function* evaluated<T, U>(
  batches: Batches<Env>,
  { compiled: evaluate, pending }: Prepared<(env: Env) => T>,
  keep: (value: T, env: Env, kept: U[]) => void,
  turn: Turn,
  oneByOne: boolean = pending.some(({ isQuery }) => isQuery),
): AsyncGenerator<readonly U[]> {
  for await (const batch of batches) {
    let kept: U[] = [];
    try {
      let steps = 0;
      for (const env of batch) {
        const wait = answered(pending, env);
        if (wait !== undefined) await wait;
        keep(evaluate(env), env, kept);
        if (oneByOne && kept.length > 0) {
          const ready = kept;
          kept = [];
          yield ready;
        }
        if (++steps % stepsBetweenLooks === 0 && turn.isOver) await turn.giveWay();
      }
    } catch (error) {
      if (kept.length > 0) yield kept;
      throw error;
    }
    if (kept.length > 0) yield kept;
  }
}

/**
 * The same rows, with a pause before each batch is requested: a request runs its producers on its own stack, and a
 * chain of very many joins, tests or unions would overflow it.
 */
export async function* rested<T>(batches: Batches<T>): AsyncGenerator<readonly T[]> {
  await undefined;
  for await (const batch of batches) {
    yield batch;
    await undefined;
  }
}

/** Keeps every value. */
export const keepValue = <T>(value: T, _env: Env, kept: T[]): void => void kept.push(value);

/** The first rows only: later ones are not requested. */
export const firstOf = <T>(batches: Batches<T>, most: number): Batches<T> =>
  most === Number.POSITIVE_INFINITY ? batches : first(batches, most);

async function* first<T>(batches: Batches<T>, most: number): AsyncGenerator<readonly T[]> {
  let left = most;
  if (left <= 0) return;
  for await (const batch of batches) {
    yield batch.length > left ? batch.slice(0, left) : batch;
    left -= batch.length;
    if (left <= 0) return;
  }
}

/** The rows after the first ones. */
export const behind = <T>(batches: Batches<T>, skip: number): Batches<T> =>
  skip === 0 ? batches : rest(batches, skip);

async function* rest<T>(batches: Batches<T>, skip: number): AsyncGenerator<readonly T[]> {
  let left = skip;
  for await (const batch of batches) {
    if (left < batch.length) yield left === 0 ? batch : batch.slice(left);
    left = Math.max(0, left - batch.length);
  }
}

/** Consumes every row, yielding from time to time. */
export async function eachOf<T>(batches: Batches<T>, take: (row: T) => void, turn: Turn): Promise<void> {
  for await (const batch of batches) {
    let steps = 0;
    for (const row of batch) {
      take(row);
      if (++steps % stepsBetweenLooks === 0 && turn.isOver) await turn.giveWay();
    }
  }
}

/** The rows of batches, mapped. */
export async function* changed<T, U>(batches: Batches<T>, change: (row: T) => U): AsyncGenerator<readonly U[]> {
  for await (const batch of batches) yield batch.map(change);
}

/** Rows that are processed one by one, with a check of the clock after each: it may take long. */
export async function* passedOn<T, U>(
  batches: Batches<T>,
  look: (row: T) => readonly U[] | Promise<readonly U[]>,
  turn: Turn,
): AsyncGenerator<readonly U[]> {
  for await (const batch of batches) {
    const kept: U[] = [];
    for (const row of batch) {
      const found = look(row);
      kept.push(...(found instanceof Promise ? await found : found));
      if (turn.isOver) await turn.giveWay();
    }
    if (kept.length > 0) yield kept;
  }
}
