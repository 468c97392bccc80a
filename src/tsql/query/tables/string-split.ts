import { sqlError } from '../../../base/messages/sql-error.ts';
import { ownPart } from '../../../base/text/own-part.ts';
import type { Expression } from '../../../syntax/ast/expression.ts';
import { familyOf, isUnicode } from '../../../tds/convert/families.ts';
import { charactersOf } from '../../../tds/convert/to-text.ts';
import { bigint } from '../../../tds/types/index.ts';
import { textOf } from '../../../values/precedence.ts';
import type { Compiled } from '../../evaluate/compiled.ts';
import { textLike } from '../../functions/define.ts';
import type { PlanColumn } from '../plan.ts';
import type { TableCall, TableFunction } from './table-function.ts';

/** True if the third argument requests the column ordinal: it decides the columns, so it must be a constant 0 or 1. */
function wantsOrdinal(written: Expression | undefined): boolean {
  if (written === undefined) return false;
  if (written.kind !== 'literal') throw sqlError(8748, 'string_split');
  const { type, value } = written;
  if (type.name !== 'int') throw sqlError(8116, type.name, 3, 'string_split');
  const flag = Number(value ?? 0);
  if (flag !== 0 && flag !== 1) throw sqlError(4199, flag, 3, 'string_split');
  return flag === 1;
}

function columnsOf(args: readonly Compiled[], { args: written }: TableCall): readonly PlanColumn[] {
  for (const [at, { type, bare }] of args.slice(0, 2).entries())
    if (familyOf(type.name) !== 'text' && !bare) throw sqlError(8116, type.name, at + 1, 'string_split');
  const [whole, separator] = args;
  const own = textLike(whole);
  const widened = separator !== undefined && isUnicode(separator.type.name) && !isUnicode(own.name);
  const value = { name: 'value', type: widened ? textOf(true, charactersOf(own)) : own, nullable: true };
  return wantsOrdinal(written[2]) ? [value, { name: 'ordinal', type: bigint, nullable: true }] : [value];
}

/** The parts one by one: a long text has more of them than would fit into memory at once. */
function* partsOf(whole: string, separator: string): Generator<readonly unknown[]> {
  let from = 0;
  for (let ordinal = 1n; from <= whole.length; ordinal++) {
    const found = whole.indexOf(separator, from);
    const to = found < 0 ? whole.length : found;
    yield [ownPart(whole, from, to), ordinal];
    from = to + 1;
  }
}

/** STRING_SPLIT: a text in the parts that a character separates. */
export const stringSplit: TableFunction = {
  arity: 2,
  optional: 1,
  columns: columnsOf,
  asks: true,
  rows([whole, separator]) {
    if (typeof separator !== 'string' || separator.length !== 1)
      throw sqlError(214, 'separator', 'nchar(1)/nvarchar(1)');
    return typeof whole === 'string' ? partsOf(whole, separator) : [];
  },
};
