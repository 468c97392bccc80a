import { sqlError } from '../../base/sql-error.ts';
import { bigint } from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { FunctionCall } from '../ast/expression.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { Context, Scope } from '../evaluate/context.ts';

/** The window functions that look at another row of their part. */
export const neighbourNames: ReadonlySet<string> = new Set(['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE']);

/** A window function that takes its value from another row. */
export interface Neighbour {
  readonly type: AnyType;
  /** The value for the row at a place of its sorted part; `endOfPeers` is where the rows end that sort as it does. */
  value(rows: readonly Env[], at: number, endOfPeers: () => number): unknown;
}

/** LAG and LEAD (value, offset, default), FIRST_VALUE and LAST_VALUE (value): 4112 without ORDER BY. */
export function compileNeighbour(call: FunctionCall, scope: Scope, context: Context): Neighbour {
  const { name, args } = call;
  const most = name === 'LAG' || name === 'LEAD' ? 3 : 1;
  const [value, offset, otherwise] = args.map((each) => context.expression(each, scope));
  if (value === undefined || args.length > most) throw sqlError(174, name.toLowerCase(), most);
  if ((call.over?.orderBy.length ?? 0) === 0) throw sqlError(4112, name);
  const { type } = value;
  if (most === 1) {
    const place = name === 'FIRST_VALUE' ? () => 0 : (end: () => number) => end() - 1;
    return { type, value: (rows, _at, end) => valueAt(rows, place(end)) };
  }
  const distance = offset && coerce(offset, bigint, context);
  const byDefault = otherwise && coerce(otherwise, type, context);
  return {
    type,
    value(rows, at) {
      const env = rows[at];
      if (env === undefined) return null;
      const far = distance === undefined ? 1 : Number(distance.evaluate(env) ?? 0);
      if (far < 0) throw sqlError(8730);
      const other = rows[name === 'LAG' ? at - far : at + far];
      return other === undefined ? (byDefault?.evaluate(env) ?? null) : value.evaluate(other);
    },
  };

  function valueAt(rows: readonly Env[], at: number): unknown {
    const env = rows[at];
    return env === undefined ? null : (value?.evaluate(env) ?? null);
  }
}
