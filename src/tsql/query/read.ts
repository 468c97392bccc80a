import { fold } from '../../base/text/collation.ts';
import type { Work } from '../../engine/db.ts';
import type { MemoryRelation } from '../../procedure/relations/relation.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { type Env, noRows } from '../evaluate/compiled.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import type { StatementContext } from '../evaluate/statement-context.ts';
import { batchSize } from './batches.ts';
import type { Plan } from './plan.ts';

/** A table or view of the host inside a statement: looked up before, read while the statement runs. */
export interface Leaf {
  /** The database it is in; undefined for the current one. */
  readonly database: string | undefined;
  /** What reads it, while the statement runs. */
  call: SystemCall | undefined;
  /** The work that its next row may require of the engine. */
  readonly work?: Work;
}

/** A relation whose rows are computed. */
export interface WorkedOut extends Leaf {
  readonly relation: MemoryRelation;
  readonly columns: readonly string[];
}

const amounts: readonly Work[] = ['little', 'linear', 'unbounded'];

/** The work that a statement may require of the engine. */
const mostWork = (leaves: readonly Leaf[]): Work =>
  amounts.findLast((amount) => leaves.some(({ work }) => work === amount)) ?? 'little';

const byDatabase = (leaves: readonly Leaf[], current: string): Iterable<readonly Leaf[]> =>
  Map.groupBy(leaves, ({ database }) => fold(database ?? current)).values();

/**
 * Runs work that may read the relations of a statement: each database in one snapshot, however many tables are read.
 */
export async function reading<T>({ leaves, frame, run }: StatementContext, work: () => Promise<T>): Promise<T> {
  using _ = run.memory;
  if (leaves.length === 0) return await work();
  const { host, signal } = frame;
  const within = (inner: () => Promise<T>, some: readonly Leaf[]) => () =>
    host.read(
      some[0]?.database,
      (call) => {
        for (const leaf of some) leaf.call = call;
        return inner();
      },
      signal,
      mostWork(some),
    );
  const databases = leaves.length === 1 ? [leaves] : byDatabase(leaves, host.database);
  const nested = [...databases].reduce(within, work);
  try {
    return await nested();
  } finally {
    for (const leaf of leaves) leaf.call = undefined;
  }
}

/** The rows of a computed relation. */
export async function* workedOutRows({
  relation,
  columns,
  call,
}: WorkedOut): AsyncGenerator<readonly (readonly unknown[])[]> {
  if (call === undefined) throw new Error(`${relation.name} is read outside of its statement`);
  let batch: (readonly unknown[])[] = [];
  let size = 16;
  for await (const row of relation.rows(call)) {
    // A relation's rows are objects keyed by its columns.
    const values = row as Readonly<Record<string, unknown>>;
    batch.push(columns.map((name) => values[name] ?? null));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
    size = Math.min(batchSize, size * 2);
  }
  if (batch.length > 0) yield batch;
}

/** Runs a plan and passes on its rows one by one, limited by SET ROWCOUNT and the like; returns how many. */
export function eachRow(
  plan: Plan,
  context: StatementContext,
  take: (row: readonly unknown[]) => void | Promise<void>,
  most: number,
): Promise<number> {
  const { turn } = context.run;
  return reading(context, async () => {
    let count = 0;
    if (most <= 0) return count;
    for await (const batch of plan.rows(noRows)) {
      for (const row of batch) {
        const slow = take(row);
        if (slow) await slow;
        if (++count >= most) return count;
      }
      if (turn.isOver) await turn.giveWay();
    }
    return count;
  });
}

/** The value of an expression outside a query; its subqueries read what they need. */
export function evaluateOnce<T>(
  { compiled, pending }: Prepared<(env: Env) => T>,
  context: StatementContext,
): Promise<T> {
  return reading(context, async () => {
    await answered(pending, noRows);
    return compiled(noRows);
  });
}
