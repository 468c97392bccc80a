import { sqlError } from '../../../base/messages/sql-error.ts';
import type { FunctionCall } from '../../../syntax/ast/expression.ts';
import { bigint } from '../../../tds/types/index.ts';
import type { AnyType } from '../../../tds/types/sql-type.ts';
import { coerce } from '../../evaluate/coerce.ts';
import type { Compiled } from '../../evaluate/compiled.ts';
import type { Context, Scope } from '../../evaluate/context.ts';

/** The window functions that access another row of their partition. */
export const neighbourNames: ReadonlySet<string> = new Set(['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE']);

/** A window function that takes its value from another row. */
export interface Neighbour {
  readonly type: AnyType;
  /** Its arguments for every row: the value, the distance, the default. */
  readonly args: readonly Compiled[];
  /** The value for the row at a position of its sorted partition; `endOfPeers` is where its peers end. */
  value(rows: readonly { readonly args: readonly unknown[] }[], at: number, endOfPeers: number): unknown;
  /** True if it uses the end of the peers. */
  readonly usesPeers?: boolean;
}

/** LAG and LEAD (value, offset, default), FIRST_VALUE and LAST_VALUE (value). */
export function compileNeighbour(call: FunctionCall, scope: Scope, context: Context): Neighbour {
  const { name } = call;
  const most = name === 'LAG' || name === 'LEAD' ? 3 : 1;
  const [value, offset, otherwise] = call.args.map((each) => context.expression(each, scope));
  if (value === undefined || call.args.length > most) throw sqlError(174, name.toLowerCase(), most);
  const { type } = value;
  if (name === 'FIRST_VALUE') return { type, args: [value], value: (rows) => rows[0]?.args[0] ?? null };
  if (name === 'LAST_VALUE')
    return { type, args: [value], usesPeers: true, value: (rows, _at, end) => rows[end - 1]?.args[0] ?? null };
  const args = [value];
  if (offset !== undefined) args.push(coerce(offset, bigint, context));
  if (otherwise !== undefined) args.push(coerce(otherwise, type, context));
  return {
    type,
    args,
    value(rows, at) {
      const own = rows[at]?.args ?? [];
      const far = offset === undefined ? 1 : Number(own[1] ?? 0);
      if (far < 0) throw sqlError(8730);
      const other = rows[name === 'LAG' ? at - far : at + far];
      return (other === undefined ? own[2] : other.args[0]) ?? null;
    },
  };
}
