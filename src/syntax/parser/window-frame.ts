import { sqlError } from '../../base/messages/sql-error.ts';
import type { WindowFrame } from '../ast/expression.ts';
import type { TokenStream } from './token-stream.ts';

/** One end of a frame, as rows from the current one. */
interface Bound {
  readonly side: 'PRECEDING' | 'CURRENT' | 'FOLLOWING';
  readonly offset: number;
}

const sides: readonly Bound['side'][] = ['PRECEDING', 'CURRENT', 'FOLLOWING'];
const currentRow: Bound = { side: 'CURRENT', offset: 0 };

/**
 * ROWS or RANGE of a window: 10756 without ORDER BY, 4193 for one that ends before it begins, 4194 for RANGE with a
 * number of rows.
 */
export function windowFrame(cursor: TokenStream, isOrdered: boolean): WindowFrame | undefined {
  const isRows = cursor.accept('ROWS');
  if (!isRows && !cursor.accept('RANGE')) return undefined;
  const { line } = cursor;
  const isWhole = cursor.accept('BETWEEN');
  const from = bound(cursor);
  if (isWhole) cursor.expect('AND');
  const to = isWhole ? bound(cursor) : currentRow;
  const isBackward = sides.indexOf(from.side) > sides.indexOf(to.side);
  if (isBackward || from.offset === Number.POSITIVE_INFINITY || to.offset === Number.NEGATIVE_INFINITY)
    throw sqlError(4193, `BETWEEN ${shown(from)} AND ${shown(to)}`).at({ line });
  const isNumbered = ({ side, offset }: Bound) => side !== 'CURRENT' && Number.isFinite(offset);
  if (!isRows && (isNumbered(from) || isNumbered(to))) throw sqlError(4194).at({ line });
  if (!isOrdered) throw sqlError(10756).at({ line });
  return { unit: isRows ? 'rows' : 'range', from: from.offset, to: to.offset };
}

const shown = ({ side }: Bound): string => (side === 'CURRENT' ? 'CURRENT ROW' : side);

function bound(cursor: TokenStream): Bound {
  if (cursor.accept('CURRENT', 'ROW')) return currentRow;
  const rows = cursor.accept('UNBOUNDED') ? Number.POSITIVE_INFINITY : numberOf(cursor);
  if (cursor.accept('PRECEDING')) return { side: 'PRECEDING', offset: -rows };
  cursor.expect('FOLLOWING');
  return { side: 'FOLLOWING', offset: rows };
}

function numberOf(cursor: TokenStream): number {
  if (cursor.peek().kind !== 'integer') throw cursor.unexpected();
  return Number(cursor.next().text);
}
