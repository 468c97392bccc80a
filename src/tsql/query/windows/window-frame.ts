import { inTurns } from '../../../base/threads/steps.ts';
import type { Turn } from '../../../base/threads/turn.ts';
import type { WindowFrame } from '../../../syntax/ast/expression.ts';
import type { Env } from '../../evaluate/compiled.ts';
import { answered, type Prepared } from '../../evaluate/prepared.ts';
import type { Aggregate } from '../../functions/aggregates.ts';
import { hold, type Run } from '../run.ts';

/** The rows of a sorted partition that a function sees from one of them: from `start` to before `end`. */
interface Frame {
  readonly start: number;
  readonly end: number;
}

/** Where the peers of the row at a place end. */
type EndOfPeers = (at: number) => Promise<number>;

/** The frames of the rows of a partition, one after another. */
export async function* framesOf(
  count: number,
  { unit, from, to }: WindowFrame,
  endOfPeers: EndOfPeers,
): AsyncGenerator<Frame> {
  let peers: Frame = { start: 0, end: 0 };
  for (let at = 0; at < count; at++) {
    if (unit === 'range' && at >= peers.end) peers = { start: at, end: await endOfPeers(at) };
    const first = unit === 'range' ? peers.start : at;
    const last = unit === 'range' ? peers.end - 1 : at;
    const start = Math.max(0, first + from);
    yield { start, end: Math.max(start, Math.min(count, last + to + 1)) };
  }
}

/**
 * Aggregates over the frame of each row. A frame that begins where the one before it does goes on from there; any other
 * is summed up anew.
 */
export async function sumUpFrames(
  { compiled: aggregate, pending }: Prepared<Aggregate>,
  frames: AsyncIterable<Frame>,
  part: readonly { readonly env: Env; value: unknown }[],
  run: Run,
): Promise<void> {
  const { turn } = run;
  using held = hold(run);
  const begin = (at: number) => {
    held.shrink(held.used);
    return { at, added: at, accumulator: aggregate.start((bytes) => held.grow(bytes)) };
  };
  let sum = begin(0);
  let at = 0;
  for await (const { start, end } of frames) {
    if (start !== sum.at || end < sum.added) sum = begin(start);
    for (; sum.added < end; sum.added++) {
      const env = part[sum.added]?.env;
      if (env !== undefined) await add(env);
    }
    if (sum.accumulator.settle !== undefined) await inTurns(sum.accumulator.settle(), turn);
    const place = part[at++];
    if (place !== undefined) place.value = sum.accumulator.result();
    if (turn.isOver) await turn.giveWay();
  }
  async function add(env: Env): Promise<void> {
    if (turn.isOver) await turn.giveWay();
    if (pending.length > 0) await answered(pending, env);
    const work = sum.accumulator.add(env);
    if (work !== undefined) await inTurns(work, turn);
  }
}

/** FIRST_VALUE or LAST_VALUE of the frame of each row; NULL of an empty one. */
export async function lookUpFrames(
  isFirst: boolean,
  frames: AsyncIterable<Frame>,
  part: readonly { readonly args: readonly unknown[]; value: unknown }[],
  turn: Turn,
): Promise<void> {
  let at = 0;
  for await (const { start, end } of frames) {
    const place = part[at++];
    const of = start < end ? part[isFirst ? start : end - 1] : undefined;
    if (place !== undefined) place.value = of?.args[0] ?? null;
    if (turn.isOver) await turn.giveWay();
  }
}
