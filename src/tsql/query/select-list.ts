import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { SelectItem } from '../../syntax/ast/query.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Prepared } from '../evaluate/prepared.ts';
import { isShown } from './joins/carried-rows.ts';
import type { Source } from './joins/from.ts';
import { missingKeys, type Origin, originOf, type ValueItem } from './origin.ts';
import type { PlanColumn } from './plan.ts';
import type { SelectScope } from './scope.ts';

/** How many columns a result may have, as in SQL Server. */
export const mostColumns = 4096;

/** A compiled select list, `*` expanded. */
export interface SelectList {
  readonly expressions: readonly Expression[];
  readonly values: readonly Prepared<Compiled>[];
  readonly columns: readonly PlanColumn[];
}

/**
 * Compiles a select list. `passesThrough`: rows of FROM reach it unchanged, so that its columns may be those of tables.
 * `isBrowsed`: the keys that browse mode also needs are appended as hidden columns.
 */
export function compileSelectList(
  selected: readonly SelectItem[],
  { passesThrough, isBrowsed }: { readonly passesThrough: boolean; readonly isBrowsed: boolean },
  scope: SelectScope,
  sources: readonly Source[],
  compile: (expression: Expression) => Prepared<Compiled>,
): SelectList {
  const listed = selected.flatMap((item) => expand(item, sources));
  if (listed.length > mostColumns) throw sqlError(1056, mostColumns);
  const hidden = isBrowsed && passesThrough ? missingKeys(listed, scope, sources) : [];
  const items = [...listed, ...hidden];
  const compiled = items.map((item) => ({ item, value: compile(item.expression) }));
  return {
    expressions: items.map(({ expression }) => expression),
    values: compiled.map(({ value }) => value),
    columns: compiled.map(({ item, value }, at) => {
      const origin = passesThrough ? originOf(item.expression, scope, sources) : undefined;
      return planColumn(value.compiled, item, origin, at >= listed.length, labelOf(item.expression, scope, sources));
    }),
  };
}

/** `*` and `t.*` become their columns. */
function expand(item: SelectItem, sources: readonly Source[]): ValueItem[] {
  if (item.kind === 'value') return [item];
  if (item.kind === 'assign') return [{ kind: 'value', expression: item.expression }];
  if (sources.length === 0) throw sqlError(263);
  const wanted =
    item.qualifier === undefined
      ? sources
      : sources.filter((source) => source.alias === fold(item.qualifier?.at(-1) ?? ''));
  if (wanted.length === 0) throw sqlError(4104, `${item.qualifier?.join('.')}.*`);
  return wanted.flatMap((source) =>
    source.columns.filter(isShown).map(
      ({ name }): ValueItem => ({
        kind: 'value',
        alias: name,
        expression: { kind: 'column', parts: [source.alias, name] },
      }),
    ),
  );
}

function labelOf(expression: Expression, scope: SelectScope, sources: readonly Source[]): string | undefined {
  const place = expression.kind === 'column' ? scope.find(expression.parts) : undefined;
  return place === undefined ? undefined : sources[place.source]?.label;
}

/** The column that an item of a select list makes. */
export function planColumn(
  value: Compiled,
  item: ValueItem,
  origin?: Origin,
  isHidden = false,
  label?: string,
): PlanColumn {
  const column = {
    // A column is headed as the statement spells it, not as its table does.
    name: item.alias ?? (item.expression.kind === 'column' ? item.expression.parts.at(-1) : value.name) ?? '',
    type: value.type,
    nullable: value.nullable,
    ...(value.bare ? { bare: true as const } : {}),
    ...(label === undefined ? {} : { label }),
    ...(value.isJson ? { isJson: true } : {}),
  };
  if (origin === undefined) return column;
  const { source, isIdentity, numbering, isComputed } = origin;
  return {
    ...column,
    source: isHidden ? { ...source, isHidden } : source,
    table: source.table.name,
    ...(isIdentity ? { isIdentity } : {}),
    ...(numbering === undefined ? {} : { numbering }),
    ...(isComputed ? { isComputed } : {}),
  };
}
