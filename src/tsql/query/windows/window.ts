import { sqlError } from '../../../base/messages/sql-error.ts';
import { inTurns } from '../../../base/threads/steps.ts';
import type { Turn } from '../../../base/threads/turn.ts';
import type { Expression, FunctionCall, WindowFrame } from '../../../syntax/ast/expression.ts';
import type { OrderItem } from '../../../syntax/ast/query.ts';
import { walk } from '../../../syntax/ast/walk.ts';
import { familyOf } from '../../../tds/convert/families.ts';
import type { Compiled, Env } from '../../evaluate/compiled.ts';
import type { Context, Scope } from '../../evaluate/context.ts';
import { answered, type Prepared } from '../../evaluate/prepared.ts';
import { aggregateNames } from '../../functions/aggregate-names.ts';
import { type Aggregate, compileAggregate } from '../../functions/aggregates.ts';
import { type Batches, changed, evaluated, inBatches } from '../batches.ts';
import { type KeyedEnv, sortedAndLimited } from '../limits.ts';
import { gathered, hold, keyInTurns, type Run, sizeOf } from '../run.ts';
import { byKeys, comparedInTurns, inOrder, type SortKey } from '../sort.ts';
import { compileNeighbour, type Neighbour, neighbourNames } from './neighbour.ts';
import { ranking, rankingType } from './ranking.ts';
import { framesOf, lookUpFrames, sumUpFrames } from './window-frame.ts';
import { isWindowOnly, refuseWrongWindow } from './window-rules.ts';

/** A window function: how to part the rows, order them, and number or sum them up. */
interface Window {
  readonly name: string;
  readonly partition: readonly Compiled[];
  readonly order: readonly Compiled[];
  readonly keys: readonly SortKey[];
  /** True if no value of a row decides its position. */
  readonly isUnsorted: boolean;
  readonly aggregate: Aggregate | undefined;
  readonly neighbour: Neighbour | undefined;
  readonly frame: WindowFrame | undefined;
  /** The arguments of NTILE, LAG and LEAD for every row. */
  readonly args: readonly Compiled[];
}

/** A row with what a window needs of it; its value is set in the end. */
interface PlacedRow {
  readonly env: Env;
  readonly part: string;
  readonly keys: readonly unknown[];
  readonly args: readonly unknown[];
  value: unknown;
}

/** A scope in whose select list functions may have OVER. */
export class WindowScope implements Scope {
  readonly #inner: Scope;
  readonly #windows: Prepared<Window>[] = [];

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
    if (expression.kind === 'call' && isWindowOnly(expression.name))
      throw sqlError(10753, expression.name.toLowerCase());
    return this.#inner.whole?.(expression, context);
  }

  #window(call: FunctionCall, context: Context): Compiled {
    const at = this.#windows.length;
    const window = context.prepared(() => compileWindow(call, this.#inner, context));
    this.#windows.push(window);
    const { aggregate, neighbour } = window.compiled;
    return {
      type: aggregate?.type ?? neighbour?.type ?? rankingType(call.name),
      nullable: true,
      evaluate: (env) => env.windows[at] ?? null,
    };
  }

  /** Adds the windows' values to every row; rows that are only numbered are held no longer than necessary. */
  async *apply(rows: Batches<Env>, most: number, size: (env: Env) => number, run: Run): AsyncGenerator<readonly Env[]> {
    const [only, ...more] = this.#windows;
    if (only?.compiled.name === 'ROW_NUMBER' && only.compiled.partition.length === 0 && more.length === 0) {
      yield* numberedOnly(only, rows, most, size, run);
      return;
    }
    using held = hold(run);
    const envs = await gathered(rows, held, run.turn, size);
    const columns: (readonly PlacedRow[])[] = [];
    for (const window of this.#windows) columns.push(await placesOf(window, envs, { ...run, memory: held }));
    let at = -1;
    yield* changed(inBatches(envs), (env) => {
      at++;
      return { ...env, windows: columns.map((places) => places[at]?.value) };
    });
  }
}

/** ROW_NUMBER over all rows: as they come where nothing sorts them. */
async function* numberedOnly(
  { compiled: { order, keys, isUnsorted }, pending }: Prepared<Window>,
  rows: Batches<Env>,
  most: number,
  size: (env: Env) => number,
  run: Run,
): AsyncGenerator<readonly Env[]> {
  const keysOf = (env: Env) => order.map((each) => each.evaluate(env));
  const keep = (values: unknown[], env: Env, kept: KeyedEnv[]) => void kept.push({ env, keys: values });
  const keyed = () => evaluated(rows, { compiled: keysOf, pending }, keep, run.turn);
  const wanted = { count: Number.isFinite(most) ? most : undefined, percent: undefined, skip: 0, ties: false };
  const sorted = isUnsorted
    ? rows
    : changed(
        sortedAndLimited(keyed(), keys, wanted, ({ env }) => size(env), run),
        ({ env }) => env,
      );
  let number = 0n;
  yield* changed(sorted, (env) => ({ ...env, windows: [++number] }));
}

/** True for what is the same for every row: `ORDER BY (SELECT NULL)` asks for no order. */
function isConstant({ expression }: OrderItem): boolean {
  let found = true;
  walk(expression, ({ kind }) => {
    if (kind === 'column' || kind === 'call' || kind === 'table') found = false;
    return found;
  });
  return found;
}

function compileWindow(call: FunctionCall, scope: Scope, context: Context): Window {
  const { name, over } = call;
  refuseWrongWindow(call);
  const aggregate = aggregateNames.has(name) ? compileAggregate(call, scope, context) : undefined;
  const neighbour = neighbourNames.has(name) ? compileNeighbour(call, scope, context) : undefined;
  if (name === 'NTILE' && call.args.length !== 1) throw sqlError(174, 'ntile', 1);
  const compiled = (each: Expression) => context.expression(each, scope);
  const sorting = over?.orderBy ?? [];
  const order = sorting.map(({ expression }) => compiled(expression));
  return {
    name,
    partition: (over?.partitionBy ?? []).map(compiled),
    order,
    keys: order.map(({ type }, at) => ({ type, descending: sorting[at]?.descending ?? false })),
    isUnsorted: sorting.every(isConstant),
    aggregate,
    neighbour,
    frame: over?.frame,
    args: neighbour?.args ?? (name === 'NTILE' ? call.args.map((each) => tilesOf(compiled(each))) : []),
  };
}

/** How many tiles NTILE makes: whole and above zero, else 4116. */
function tilesOf(count: Compiled): Compiled {
  if (familyOf(count.type.name) !== 'integer') throw sqlError(4116, 'ntile');
  return {
    ...count,
    evaluate(env) {
      const tiles = Number(count.evaluate(env) ?? 0);
      if (tiles <= 0) throw sqlError(4116, 'ntile');
      return tiles;
    },
  };
}

/** The rows with their values in a window, in their original order. */
async function placesOf(
  { compiled: window, pending }: Prepared<Window>,
  envs: readonly Env[],
  run: Run,
): Promise<readonly PlacedRow[]> {
  const { turn, memory } = run;
  const places: PlacedRow[] = [];
  const parts = new Map<string, PlacedRow[]>();
  const valueFor = (env: Env) => (each: Compiled) => each.evaluate(env);
  for (const env of envs) {
    if (turn.isOver) await turn.giveWay();
    if (pending.length > 0) await answered(pending, env);
    const made = keyInTurns(
      window.partition.map((each) => [each.evaluate(env), each.type]),
      turn,
    );
    const place: PlacedRow = {
      env,
      part: typeof made === 'string' ? made : await made,
      keys: window.order.map(valueFor(env)),
      args: window.args.map(valueFor(env)),
      value: null,
    };
    memory.grow(sizeOf(place.part) + sizeOf(place.keys) + sizeOf(place.args));
    places.push(place);
    const part = parts.get(place.part);
    if (part === undefined) parts.set(place.part, [place]);
    else part.push(place);
  }
  for (const part of parts.values()) {
    const sorted = await inOrder(part, byKeys(window.keys), turn);
    if (window.frame !== undefined) await overFrames({ compiled: window, pending }, window.frame, sorted, run);
    else if (window.neighbour !== undefined) await lookUp(window, window.neighbour, sorted, run);
    else if (window.aggregate !== undefined) await sumUp({ compiled: window.aggregate, pending }, window, sorted, run);
    else await number(window, sorted, run);
  }
  return places;
}

/** The values of functions that see no more than the frame of each row. */
async function overFrames(
  { compiled: window, pending }: Prepared<Window>,
  frame: WindowFrame,
  part: readonly PlacedRow[],
  run: Run,
): Promise<void> {
  const { from, to } = frame;
  // Frames that end with the partition grow from its last row to its first.
  const isMirrored = window.aggregate !== undefined && to === Number.POSITIVE_INFINITY;
  const rows = isMirrored ? part.toReversed() : part;
  const seen = isMirrored ? { ...frame, from: -to, to: -from } : frame;
  const frames = framesOf(rows.length, seen, (at) => endOfPeers(rows, at, window, run.turn));
  if (window.aggregate !== undefined) await sumUpFrames({ compiled: window.aggregate, pending }, frames, rows, run);
  else await lookUpFrames(window.name === 'FIRST_VALUE', frames, rows, run.turn);
}

async function lookUp(window: Window, neighbour: Neighbour, part: readonly PlacedRow[], { turn }: Run): Promise<void> {
  let known = 0;
  for (const [at, place] of part.entries()) {
    if (turn.isOver) await turn.giveWay();
    if (neighbour.usesPeers && at >= known) known = await endOfPeers(part, at, window, turn);
    place.value = neighbour.value(part, at, known);
  }
}

/** Aggregates over the rows up to and with the peers, as RANGE UNBOUNDED PRECEDING has it. */
async function sumUp(
  { compiled: aggregate, pending }: Prepared<Aggregate>,
  window: Window,
  part: readonly PlacedRow[],
  run: Run,
): Promise<void> {
  const { turn, memory } = run;
  const accumulator = aggregate.start((bytes) => memory.grow(bytes));
  for (let at = 0; at < part.length; ) {
    const end = window.order.length === 0 ? part.length : await endOfPeers(part, at, window, turn);
    const peers = part.slice(at, end);
    for (const { env } of peers) {
      if (turn.isOver) await turn.giveWay();
      if (pending.length > 0) await answered(pending, env);
      const work = accumulator.add(env);
      if (work !== undefined) await inTurns(work, turn);
    }
    if (accumulator.settle !== undefined) await inTurns(accumulator.settle(), turn);
    const value = accumulator.result();
    for (const place of peers) place.value = value;
    at = end;
  }
}

async function number(window: Window, part: readonly PlacedRow[], { turn }: Run): Promise<void> {
  let dense = 0;
  for (let at = 0; at < part.length; ) {
    const end = await endOfPeers(part, at, window, turn);
    dense++;
    const peers = { firstPeer: at, endOfPeers: end, dense, size: part.length };
    for (let row = at; row < end; row++) {
      if (turn.isOver) await turn.giveWay();
      const place = part[row];
      if (place !== undefined) place.value = ranking(window.name, { ...peers, at: row, tiles: place.args[0] });
    }
    at = end;
  }
}

async function endOfPeers(part: readonly PlacedRow[], start: number, window: Window, turn: Turn): Promise<number> {
  const first = part[start];
  const order = byKeys<PlacedRow>(window.keys);
  let end = start + 1;
  for (;;) {
    const next = part[end];
    if (first === undefined || next === undefined) return end;
    const compared = comparedInTurns(first, next, order, turn);
    if ((typeof compared === 'number' ? compared : await compared) !== 0) return end;
    end++;
    if (turn.isOver) await turn.giveWay();
  }
}
