import { sqlError } from '../../base/sql-error.ts';
import { bigint } from '../../tds/types/index.ts';
import type { Expression, FunctionCall } from '../ast/expression.ts';
import type { Compiled, Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';
import { aggregateNames } from '../functions/aggregate-names.ts';
import { type Aggregate, compileAggregate } from '../functions/aggregates.ts';
import { keyOf } from '../values/key.ts';
import { compileNeighbour, type Neighbour, neighbourNames } from './neighbour.ts';
import { compareKeys, compileKeys, type OrderKey } from './order.ts';
import { isTurnOver, type Pause, pause, settled } from './pause.ts';
import { inOrder } from './sort.ts';

const rankings = new Set(['ROW_NUMBER', 'RANK', 'DENSE_RANK', 'NTILE']);
const needOver = new Set([...rankings, ...neighbourNames]);

/** A window function: how to part the rows, order them, and number or sum them up. */
interface Window {
  readonly call: FunctionCall;
  readonly partition: readonly Compiled[];
  readonly order: readonly OrderKey[];
  readonly aggregate: Aggregate | undefined;
  readonly tiles: Compiled | undefined;
  readonly neighbour: Neighbour | undefined;
}

/** A scope in whose select list functions may have OVER. */
export class WindowScope implements Scope {
  readonly #inner: Scope;
  readonly #windows: Window[] = [];

  constructor(inner: Scope) {
    this.#inner = inner;
  }

  get used(): boolean {
    return this.#windows.length > 0;
  }

  column(parts: readonly string[]): Compiled {
    return this.#inner.column(parts);
  }

  whole(expression: Expression, context: Context): Compiled | undefined {
    if (expression.kind === 'call' && expression.over !== undefined) return this.#window(expression, context);
    if (expression.kind === 'call' && needOver.has(expression.name))
      throw sqlError(10753, expression.name.toLowerCase());
    return this.#inner.whole?.(expression, context);
  }

  #window(call: FunctionCall, context: Context): Compiled {
    const aggregate = aggregateNames.has(call.name) ? compileAggregate(call, this.#inner, context) : undefined;
    const neighbour = neighbourNames.has(call.name) ? compileNeighbour(call, this.#inner, context) : undefined;
    if (aggregate === undefined && neighbour === undefined && !rankings.has(call.name))
      throw sqlError(195, call.name, 'windowed function name');
    const [first] = call.args;
    const place = this.#windows.length;
    this.#windows.push({
      call,
      partition: (call.over?.partitionBy ?? []).map((each) => context.expression(each, this.#inner)),
      order: compileKeys(call.over?.orderBy ?? [], this.#inner, context),
      aggregate,
      tiles: call.name === 'NTILE' && first !== undefined ? context.expression(first, this.#inner) : undefined,
      neighbour,
    });
    return {
      type: aggregate?.type ?? neighbour?.type ?? bigint,
      nullable: true,
      evaluate: (env) => env.windows[place] ?? null,
    };
  }

  /** Adds the windows' values to every row. */
  *apply(rows: readonly Env[]): Generator<Env | Pause> {
    const columns: Map<Env, unknown>[] = [];
    for (const window of this.#windows) columns.push(yield* valuesOf(window, rows));
    for (const env of rows) {
      yield { ...env, windows: columns.map((values) => values.get(env)) };
      if (isTurnOver()) yield pause;
    }
  }
}

function* valuesOf(window: Window, rows: readonly Env[]): Generator<Pause, Map<Env, unknown>> {
  const parts = new Map<string, Env[]>();
  const keyed = (env: Env) => keyOf(window.partition.map((each) => [each.evaluate(env), each.type]));
  for (const env of rows) {
    if (isTurnOver()) yield pause;
    const key = yield* settled(keyed, env);
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [env]);
    else part.push(env);
  }
  const values = new Map<Env, unknown>();
  for (const part of parts.values()) {
    const sorted = yield* sortedPart(window, part);
    if (window.neighbour === undefined) yield* numbered(window, sorted, values);
    else yield* lookedUp(window, window.neighbour, sorted, values);
  }
  return values;
}

/** A row of a part, with the values it is sorted by. */
interface Keyed {
  readonly env: Env;
  readonly keys: readonly unknown[];
}

function* sortedPart({ order }: Window, part: readonly Env[]): Generator<Pause, readonly Keyed[]> {
  const keysOf = (env: Env) => order.map((each) => each.value.evaluate(env));
  const keyed: Keyed[] = [];
  for (const env of part) {
    if (isTurnOver()) yield pause;
    keyed.push({ env, keys: yield* settled(keysOf, env) });
  }
  return yield* inOrder(keyed, (a, b) => compareKeys(a.keys, b.keys, order));
}

function* lookedUp(
  window: Window,
  neighbour: Neighbour,
  part: readonly Keyed[],
  values: Map<Env, unknown>,
): Generator<Pause> {
  const rows = part.map(({ env }) => env);
  let known = 0;
  for (const [at, env] of rows.entries()) {
    if (isTurnOver()) yield pause;
    const end = () => {
      if (at >= known) known = endOfPeers(part, at, window);
      return known;
    };
    values.set(env, yield* settled(() => neighbour.value(rows, at, end), env));
  }
}

/** Ranks, and aggregates over the rows up to and with the peers, as RANGE UNBOUNDED PRECEDING has it. */
function* numbered(window: Window, part: readonly Keyed[], values: Map<Env, unknown>): Generator<Pause> {
  const accumulator = window.aggregate?.start();
  let dense = 0;
  for (let at = 0; at < part.length; ) {
    const end = endOfPeers(part, at, window);
    const peers = part.slice(at, end);
    const rank = at + 1;
    dense++;
    for (const { env } of accumulator === undefined ? [] : peers) {
      if (isTurnOver()) yield pause;
      yield* settled((each) => accumulator?.add(each), env);
    }
    for (const [index, { env }] of peers.entries()) {
      if (isTurnOver()) yield pause;
      const place = { row: at + index + 1, rank, dense, size: part.length };
      values.set(
        env,
        accumulator === undefined ? yield* settled((each) => ranking(window, place, each), env) : accumulator.result(),
      );
    }
    at = end;
  }
}

function endOfPeers(keyed: readonly Keyed[], start: number, window: Window): number {
  if (window.order.length === 0) return window.aggregate === undefined ? start + 1 : keyed.length;
  const first = keyed[start]?.keys ?? [];
  let end = start + 1;
  while (end < keyed.length && compareKeys(first, keyed[end]?.keys ?? [], window.order) === 0) end++;
  return end;
}

function ranking(
  { call, tiles }: Window,
  place: { row: number; rank: number; dense: number; size: number },
  env: Env,
): bigint {
  if (call.name === 'ROW_NUMBER') return BigInt(place.row);
  if (call.name === 'RANK') return BigInt(place.rank);
  if (call.name === 'DENSE_RANK') return BigInt(place.dense);
  const count = Math.max(1, Number(tiles?.evaluate(env) ?? 1));
  const small = Math.floor(place.size / count);
  const large = place.size % count;
  const inLarge = large * (small + 1);
  const at = place.row - 1;
  return BigInt(
    at < inLarge ? Math.floor(at / (small + 1)) + 1 : large + Math.floor((at - inLarge) / Math.max(1, small)) + 1,
  );
}
