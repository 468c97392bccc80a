import type { Bindable } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
import type { EngineOperator, Form, Reference } from '../../../procedure/relations/engine-query.ts';
import type { StoredColumn } from '../../../procedure/relations/relation.ts';
import { columnOf, isNullable } from '../../../procedure/relations/select-relation.ts';
import type { Condition, Expression } from '../../../syntax/ast/expression.ts';
import { familyOf } from '../../../tds/convert/families.ts';
import type { AnyType } from '../../../tds/types/sql-type.ts';
import type { Context } from '../../evaluate/context.ts';
import type { Source } from '../joins/from.ts';
import type { SelectScope } from '../scope.ts';
import type { EngineCondition } from './engine-condition.ts';

/** A column of a relation that the engine reads. */
export interface EngineColumn {
  readonly source: number;
  readonly column: string;
  readonly type: AnyType;
  readonly stored: StoredColumn;
  readonly isNullable: boolean;
}

/**
 * The sources to which conditions refer: those of a SELECT, and those of the outer one that the engine reads together
 * with it.
 */
export interface About {
  readonly scope: SelectScope;
  readonly sources: readonly Source[];
  readonly context: Context;
  readonly around?: About;
  /** Pushes down EXISTS and IN. */
  readonly subquery?: (
    condition: Condition & { kind: 'exists' | 'inQuery' },
    about: About,
  ) => EngineCondition | undefined;
}

/** The number of a SELECT's first source in the engine's query: sources of outer queries come first. */
export const firstPlace = ({ around }: About): number =>
  around === undefined ? 0 : firstPlace(around) + around.sources.length;

/** The column of a stored relation that an expression is; undefined for anything else. */
export function engineColumn(expression: Expression, about: About): EngineColumn | undefined {
  if (expression.kind !== 'column') return undefined;
  const place = about.scope.find(expression.parts);
  if (place === undefined) return about.around && engineColumn(expression, about.around);
  const source = about.sources[place.source];
  const column = source?.columns[place.column];
  if (source?.stored === undefined || column === undefined) return undefined;
  const stored = columnOf(source.stored.relation, column.name);
  const { type } = stored;
  return {
    source: firstPlace(about) + place.source,
    column: column.name,
    type: 'orNull' in type ? type.orNull : type,
    stored,
    isNullable: isNullable(stored),
  };
}

const whole = new Set(['integer', 'bit']);
const moments = new Set(['datetime', 'smalldatetime']);

/** True if the engine compares stored values of a column as SQL Server compares them in a common type. */
function comparesAlike(type: AnyType, common: AnyType): boolean {
  const family = familyOf(type.name);
  if (whole.has(family)) return whole.has(familyOf(common.name));
  if (moments.has(type.name)) return moments.has(common.name);
  return type.name === common.name && (type.name === 'float' || family === 'rowversion');
}

/**
 * What the engine compares of a column where SQL Server compares in a common type; undefined if no comparison is
 * equivalent.
 */
export function formFor({ type, stored }: EngineColumn, common: AnyType, operator: EngineOperator): Form | undefined {
  if (comparesAlike(type, common)) return 'value';
  if (operator !== '=' && operator !== '<>') return undefined;
  if (type.name === 'uniqueidentifier') return common.name === type.name ? 'value' : undefined;
  const isText = familyOf(type.name) === 'text' && familyOf(common.name) === 'text';
  const isUsual = type.collation === undefined && common.collation === undefined;
  return isText && isUsual && stored.key !== undefined ? 'key' : undefined;
}

/** True if the engine's minimum and maximum of a column are SQL Server's. */
export const isComparable = ({ type }: EngineColumn): boolean => comparesAlike(type, type);

/** True if the engine sorts by a column as SQL Server would. */
export const isSortable = (column: EngineColumn): boolean => column.stored.order !== undefined || isComparable(column);

export const referenceTo = ({ source, column }: EngineColumn, form: Form): Reference => ({ source, column, form });

/** A value of a type in its comparison form; undefined for text that no engine can store. */
export function boundAs(value: unknown, type: AnyType, form: Form): Bindable | undefined {
  if (value === null) return null;
  // Only a GUID is compared as the text it is stored as: in lower case.
  if (form === 'value') return typeof value === 'string' ? value.toLowerCase() : type.toStore(value);
  const text = fold(String(value));
  return text.includes('\0') || !text.isWellFormed() ? undefined : text;
}
