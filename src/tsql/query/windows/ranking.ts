import { bigint, float } from '../../../tds/types/index.ts';
import type { AnyType } from '../../../tds/types/sql-type.ts';

/** Where a row is in its sorted partition; places begin with 0. */
interface Position {
  readonly at: number;
  /** Where the rows begin and end that the order does not tell from this one. */
  readonly firstPeer: number;
  readonly endOfPeers: number;
  /** How many different places the order has up to here. */
  readonly dense: number;
  readonly size: number;
  /** The argument of NTILE. */
  readonly tiles: unknown;
}

const numbers: Readonly<Record<string, (position: Position) => number>> = {
  ROW_NUMBER: ({ at }) => at + 1,
  RANK: ({ firstPeer }) => firstPeer + 1,
  DENSE_RANK: ({ dense }) => dense,
  NTILE: tileOf,
};

const shares: Readonly<Record<string, (position: Position) => number>> = {
  PERCENT_RANK: ({ firstPeer, size }) => (size === 1 ? 0 : firstPeer / (size - 1)),
  CUME_DIST: ({ endOfPeers, size }) => endOfPeers / size,
};

/** The functions that tell the place of a row among those of its partition. */
export const rankingNames: ReadonlySet<string> = new Set([...Object.keys(numbers), ...Object.keys(shares)]);

export const rankingType = (name: string): AnyType => (Object.hasOwn(shares, name) ? float : bigint);

export function ranking(name: string, position: Position): number | bigint {
  const share = shares[name];
  return share === undefined ? BigInt(numbers[name]?.(position) ?? 0) : share(position);
}

/** The first tiles have a row more if the rows cannot be shared evenly. */
function tileOf({ at, size, tiles }: Position): number {
  const count = Number(tiles);
  const small = Math.floor(size / count);
  const large = size % count;
  const inLarge = large * (small + 1);
  if (at < inLarge) return Math.floor(at / (small + 1)) + 1;
  return large + Math.floor((at - inLarge) / Math.max(1, small)) + 1;
}
