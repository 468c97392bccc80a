import type { Expression } from '../../syntax/ast/expression.ts';
import type { SelectItem } from '../../syntax/ast/query.ts';
import type { ColumnSource } from '../statement-sink.ts';
import type { Source } from './joins/from.ts';
import type { Numbering, PlanColumn } from './plan.ts';
import type { SelectScope } from './scope.ts';

/** The table column that an expression passes through unchanged. */
export interface Origin {
  readonly source: ColumnSource & { readonly table: NonNullable<ColumnSource['table']>; readonly column: string };
  readonly isIdentity: boolean;
  readonly numbering: Numbering | undefined;
  readonly isComputed: boolean;
}

const byOne: Numbering = { seed: 1n, increment: 1n };

/** The columns of a table's primary key. */
function keyOf({ table, stored }: Source): readonly string[] {
  if (stored !== undefined) return stored.relation.primaryKey ?? [];
  return (table?.primaryKey ?? []).map((at) => table?.columns[at]?.name ?? '');
}

/** The origin of an expression's value; undefined if it is anything but a column. */
export function originOf(
  expression: Expression | undefined,
  scope: SelectScope,
  sources: readonly Source[],
): Origin | undefined {
  if (expression?.kind !== 'column') return undefined;
  const place = scope.find(expression.parts);
  if (place === undefined) return undefined;
  const source = sources[place.source];
  const column = source?.columns[place.column];
  const isAlone = sources.length === 1;
  if (source?.plan !== undefined) return passedThrough(column, isAlone);
  if (column === undefined || source?.tableName === undefined) return undefined;
  const isNumbered = source.stored?.relation.stored[column.name]?.identity === true;
  const numbering = source.table?.columns[place.column]?.identity ?? (isNumbered ? byOne : undefined);
  return {
    source: {
      table: { place: source, name: source.tableName },
      column: column.name,
      isKey: keyOf(source).includes(column.name),
    },
    isIdentity: numbering !== undefined,
    numbering: isAlone ? numbering : undefined,
    isComputed: source.table?.definition?.columns[place.column]?.computed !== undefined,
  };
}

/** The origin of a column of a query in FROM: of a derived table, common table expression or view. */
function passedThrough(column: PlanColumn | undefined, isAlone: boolean): Origin | undefined {
  const { table, column: name, isKey = false } = column?.source ?? {};
  if (table === undefined || name === undefined) return undefined;
  const { isIdentity = false, isComputed = false, numbering } = column ?? {};
  return {
    source: { table, column: name, isKey },
    isIdentity,
    numbering: isAlone ? numbering : undefined,
    isComputed,
  };
}

/** An item of a select list that is an expression. */
export type ValueItem = Extract<SelectItem, { kind: 'value' }>;

/**
 * The columns that a client in browse mode needs to find rows again and that its query leaves out: keys and row
 * versions.
 */
export function missingKeys(listed: readonly ValueItem[], scope: SelectScope, sources: readonly Source[]): ValueItem[] {
  const shown = listed.map(({ expression }) => originOf(expression, scope, sources)?.source);
  return sources.flatMap((source) => {
    const { alias, columns, table, stored } = source;
    if (table === undefined && stored === undefined) return [];
    const key = keyOf(source);
    return columns.flatMap(({ name, type }): ValueItem[] => {
      if (type.name !== 'timestamp' && !key.includes(name)) return [];
      if (shown.some((each) => each?.table.place === source && each.column === name)) return [];
      return [{ kind: 'value', alias: name, expression: { kind: 'column', parts: [alias, name] } }];
    });
  });
}
