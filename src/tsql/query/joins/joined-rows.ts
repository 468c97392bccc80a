import type { MemoryBudget } from '../../../base/memory/memory-budget.ts';
import type { Turn } from '../../../base/threads/turn.ts';
import type { Compiled, Env, Test } from '../../evaluate/compiled.ts';
import { allPrepared, answered, type Prepared, preparedAs } from '../../evaluate/prepared.ts';
import { type Batches, batchSize, inBatches, rested } from '../batches.ts';
import { gathered, hold, keyInTurns, type Run, sizeOf } from '../run.ts';
import type { Source } from './from.ts';
import { envOf, type JoinRow, joinRowSizer, merged } from './join-row.ts';

/** An equality between the two sides of a join. */
export interface Equality {
  readonly left: Prepared<Compiled>;
  readonly right: Prepared<Compiled>;
}

/** What two rows must fulfil to be joined. */
export interface Joining {
  readonly equalities: readonly Equality[];
  readonly rest: Prepared<Test> | undefined;
}

/** A join of two parts of FROM. */
export interface Sides {
  readonly left: { rows(env: Env): Batches<JoinRow> };
  readonly right: { rows(env: Env): Batches<JoinRow> };
  readonly joining: Joining;
  /** Whether rows of a side that match no row of the other are kept: LEFT, RIGHT and FULL JOIN. */
  readonly keepsLeft: boolean;
  readonly keepsRight: boolean;
  /** All sources of the FROM. */
  readonly sources: readonly Source[];
}

/** Row pairs that are compared between two checks of the clock. */
const pairsBetweenLooks = 16;

/** Joins two parts of FROM. */
export async function* joinedRows(sides: Sides, outer: Env, run: Run): AsyncGenerator<readonly JoinRow[]> {
  using held = hold(run);
  const right = await gathered(sides.right.rows(outer), held, run.turn, joinRowSizer(sides.sources));
  // Gathering each of many small tables takes no turn by itself.
  if (run.turn.isOver) await run.turn.giveWay();
  const { equalities } = sides.joining;
  const byKey = equalities.length === 0 ? undefined : await indexed(right, equalities, outer, held, run.turn);
  yield* new Join(sides, right, byKey, outer, run.turn).rows();
}

/** Streams the left side past the right, which is held: a hash join if there is an equality, else a nested loop. */
class Join {
  readonly #sides: Sides;
  readonly #right: readonly JoinRow[];
  readonly #byKey: ReadonlyMap<string, readonly JoinRow[]> | undefined;
  readonly #outer: Env;
  readonly #turn: Turn;
  readonly #keyOf: RowKey;
  /** The rows of the right side that have matched, if the others are to be kept. */
  readonly #matched: Set<JoinRow> | undefined;
  /** Joined rows that have not been passed on. */
  #out: JoinRow[] = [];
  #pairs = 0;

  constructor(
    sides: Sides,
    right: readonly JoinRow[],
    byKey: ReadonlyMap<string, readonly JoinRow[]> | undefined,
    outer: Env,
    turn: Turn,
  ) {
    this.#sides = sides;
    this.#right = right;
    this.#byKey = byKey;
    this.#outer = outer;
    this.#turn = turn;
    this.#matched = sides.keepsRight ? new Set() : undefined;
    this.#keyOf = rowKey(
      sides.joining.equalities.map(({ left }) => left),
      outer,
      turn,
    );
  }

  /** All joined rows; those before an error are passed on first. */
  async *rows(): AsyncGenerator<readonly JoinRow[]> {
    try {
      for await (const batch of rested(this.#sides.left.rows(this.#outer))) {
        yield* this.#join(batch);
        if (this.#out.length > 0) yield this.#taken();
        if (this.#turn.isOver) await this.#turn.giveWay();
      }
    } catch (error) {
      if (this.#out.length > 0) yield this.#taken();
      throw error;
    }
    if (this.#matched !== undefined) yield* this.#unmatched(this.#matched);
  }

  /** The rows of the right side that have matched none of the left. */
  async *#unmatched(matched: ReadonlySet<JoinRow>): AsyncGenerator<readonly JoinRow[]> {
    for await (const batch of inBatches(this.#right)) {
      const rows = batch.filter((row) => !matched.has(row));
      if (rows.length > 0) yield rows;
      if (this.#turn.isOver) await this.#turn.giveWay();
    }
  }

  async *#join(batch: readonly JoinRow[]): AsyncGenerator<readonly JoinRow[]> {
    for (const row of batch) {
      const found = this.#candidates(row);
      const candidates = found instanceof Promise ? await found : found;
      let isMatched = false;
      for (const candidate of candidates) {
        if (++this.#pairs % pairsBetweenLooks === 0 && this.#turn.isOver) await this.#turn.giveWay();
        const both = merged(row, candidate);
        const passes = this.#passes(both);
        if (!(passes instanceof Promise ? await passes : passes)) continue;
        isMatched = true;
        this.#matched?.add(candidate);
        this.#out.push(both);
        if (this.#out.length >= batchSize) yield this.#taken();
      }
      if (!isMatched && this.#sides.keepsLeft) this.#out.push(row);
    }
  }

  /** The rows of the right side that the equalities allow for a row of the left. */
  #candidates(row: JoinRow): readonly JoinRow[] | Promise<readonly JoinRow[]> {
    const byKey = this.#byKey;
    if (byKey === undefined) return this.#right;
    const matching = (key: string | undefined) => (key === undefined ? [] : (byKey.get(key) ?? []));
    const key = this.#keyOf(row);
    return key instanceof Promise ? key.then(matching) : matching(key);
  }

  #passes(both: JoinRow): boolean | Promise<boolean> {
    const { rest } = this.#sides.joining;
    if (rest === undefined) return true;
    const env = envOf(both, this.#outer);
    const waiting = answered(rest.pending, env);
    return waiting === undefined ? rest.compiled(env) === true : waiting.then(() => rest.compiled(env) === true);
  }

  #taken(): readonly JoinRow[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }
}

/** Rows by their keys; those without one match nothing. */
async function indexed(
  rows: readonly JoinRow[],
  equalities: readonly Equality[],
  outer: Env,
  held: MemoryBudget,
  turn: Turn,
): Promise<ReadonlyMap<string, readonly JoinRow[]>> {
  const keyOf = rowKey(
    equalities.map(({ right }) => right),
    outer,
    turn,
  );
  const map = new Map<string, JoinRow[]>();
  let steps = 0;
  for (const row of rows) {
    if (++steps % pairsBetweenLooks === 0 && turn.isOver) await turn.giveWay();
    const made = keyOf(row);
    const key = made instanceof Promise ? await made : made;
    if (key === undefined) continue;
    const list = map.get(key);
    if (list !== undefined) list.push(row);
    else {
      held.grow(sizeOf(key));
      map.set(key, [row]);
    }
  }
  return map;
}

/** The key of a row; undefined if one of its values is NULL, which equals nothing. */
type RowKey = (row: JoinRow) => string | undefined | Promise<string | undefined>;

/** Makes keys of one side of the equalities. */
function rowKey(sides: readonly Prepared<Compiled>[], outer: Env, turn: Turn): RowKey {
  const { compiled: keyOf, pending } = preparedAs(allPrepared(sides), (all) => (env: Env) => {
    const values = all.map((side) => [side.evaluate(env), side.type] as const);
    return values.some(([value]) => value === null) ? undefined : keyInTurns(values, turn);
  });
  return (row) => {
    const env = envOf(row, outer);
    const waiting = answered(pending, env);
    return waiting === undefined ? keyOf(env) : waiting.then(() => keyOf(env));
  };
}
