import type { Call } from '../../procedure/call.ts';
import { allRows } from '../../procedure/select-relation.ts';
import { noRows } from '../evaluate/compiled.ts';
import type { Frame } from '../frame.ts';
import { giveWay } from './give-way.ts';
import type { Leaf } from './leaf.ts';
import { isTurnOver, pause } from './pause.ts';
import type { Plan } from './plan.ts';

/** Reads relations whole, one database at a time, so that the statement can run without waiting. */
export async function readLeaves(leaves: readonly Leaf[], frame: Frame): Promise<void> {
  const unread = leaves.filter((leaf) => leaf.rows === undefined);
  for (const database of new Set(unread.map((leaf) => leaf.database))) {
    const here = unread.filter((leaf) => leaf.database === database);
    await frame.host.read(
      database,
      async (call) => {
        for (const leaf of here) leaf.rows = await Array.fromAsync(valuesOf(leaf, call));
      },
      frame.signal,
    );
  }
}

async function* valuesOf({ relation, columns }: Leaf, call: Call): AsyncGenerator<readonly unknown[]> {
  for await (const row of allRows(relation, call)) {
    // A relation's rows are objects keyed by its columns.
    const values = row as Readonly<Record<string, unknown>>;
    yield columns.map((name) => values[name] ?? null);
  }
}

/** Runs a plan and hands over its rows one by one, streaming the first relation where the plan allows it. */
export async function eachRow(
  plan: Plan,
  leaves: readonly Leaf[],
  frame: Frame,
  take: (row: readonly unknown[]) => void | Promise<void>,
  most: number,
): Promise<number> {
  const counter = new Counter(frame, take, most);
  const { streaming } = plan;
  if (streaming === undefined) {
    await readLeaves(leaves, frame);
    for (const row of plan.rows(noRows)) {
      if (row === pause) {
        await giveWay(frame);
        continue;
      }
      const more = counter.pass(row);
      if (!(typeof more === 'boolean' ? more : await more)) break;
    }
    return counter.count;
  }
  await readLeaves(
    leaves.filter((leaf) => leaf !== streaming.leaf),
    frame,
  );
  await frame.host.read(
    streaming.leaf.database,
    (call) => stream(streaming.leaf, streaming.open(noRows), call, counter),
    frame.signal,
  );
  return counter.count;
}

type Opened = ReturnType<NonNullable<Plan['streaming']>['open']>;

async function stream(leaf: Leaf, opened: Opened, call: Call, counter: Counter): Promise<void> {
  if (opened.full) return;
  for await (const row of valuesOf(leaf, call)) {
    for (const result of opened.push(row)) {
      if (result === pause) {
        await counter.look();
        continue;
      }
      const more = counter.pass(result);
      if (!(typeof more === 'boolean' ? more : await more)) return;
    }
    if (opened.full) return;
  }
}

/** Counts rows, stops at SET ROWCOUNT's limit, and gives way now and then. */
class Counter {
  count = 0;
  readonly #frame: Frame;
  readonly #take: (row: readonly unknown[]) => void | Promise<void>;
  readonly #most: number;

  constructor(frame: Frame, take: (row: readonly unknown[]) => void | Promise<void>, most: number) {
    this.#frame = frame;
    this.#take = take;
    this.#most = most;
  }

  /** False when no more rows are wanted; a promise only when there is something to wait for, which most rows have not. */
  pass(row: readonly unknown[]): boolean | Promise<boolean> {
    if (this.count >= this.#most) return false;
    const slow = this.#take(row);
    this.count++;
    if (slow) return this.#after(slow);
    return isTurnOver() ? this.#after(this.look()) : this.count < this.#most;
  }

  async #after(wait: Promise<void>): Promise<boolean> {
    await wait;
    return this.count < this.#most;
  }

  look(): Promise<void> {
    return giveWay(this.#frame);
  }
}
