import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { toTheEnd } from '../../base/threads/steps.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import { indexOfParams, matchArguments } from '../../procedure/run/match-arguments.ts';
import type { Literal } from '../../syntax/ast/expression.ts';
import type { ExtendedProperty, TableDefinition } from '../../syntax/ast/table.ts';
import { nameInMessage } from '../../tds/convert/families.ts';
import { int } from '../../tds/types/index.ts';
import type { Frame } from '../frame.ts';
import { targetTable } from '../statements/rows.ts';
import { beginImplicitly } from '../statements/transaction.ts';
import { definitionOf, rebuilt } from '../storage/alter-table.ts';
import { exchange, mayMakeShared, memoryFor, placeOf } from '../storage/object-place.ts';
import { done, type SpecialCall, type SpecialProcedure } from './special-call.ts';

const levels = ['@level0type', '@level0name', '@level1type', '@level1name', '@level2type', '@level2name'];

/** The maximum size of a value in bytes. */
const mostBytes = 7500;

/** Types whose values no sql_variant holds. */
const impossible = new Set(['xml', 'text', 'ntext', 'image', 'timestamp']);

/** The table, or one of its columns, that the levels of a call name. */
interface Described {
  readonly of: ObjectName;
  /** As messages name it: `dbo.t.c`. */
  readonly shown: string;
  readonly column: string | undefined;
}

/** What becomes of the properties that there are. */
type Change = (properties: readonly ExtendedProperty[], described: Described) => readonly ExtendedProperty[];

const isNamed =
  (name: string) =>
  (property: ExtendedProperty): boolean =>
    fold(property.name) === fold(name);

/** sp_addextendedproperty: 15233 if the property is there already. */
export const addProperty: SpecialProcedure = (call) =>
  describe(call, 'sp_addextendedproperty', (property) => (properties, { shown }) => {
    if (properties.some(isNamed(property.name))) throw sqlError(15233, property.name, shown);
    return [...properties, property];
  });

/** sp_updateextendedproperty: 15217 if it is not there. */
export const updateProperty: SpecialProcedure = (call) =>
  describe(call, 'sp_updateextendedproperty', (property) => (properties, { shown }) => {
    const at = properties.findIndex(isNamed(property.name));
    if (at < 0) throw sqlError(15217, property.name, shown);
    return properties.with(at, property);
  });

/** sp_dropextendedproperty: 15217 if it is not there. */
export const dropProperty: SpecialProcedure = (call) =>
  describe(call, 'sp_dropextendedproperty', ({ name }) => (properties, { shown }) => {
    const left = properties.filter((each) => !isNamed(name)(each));
    if (left.length === properties.length) throw sqlError(15217, name, shown);
    return left;
  });

async function describe(call: SpecialCall, procedure: string, change: (property: ExtendedProperty) => Change) {
  const { caller } = call;
  const { given, text } = argumentsOf(call, procedure);
  const name = text('@name');
  if (!name) throw sqlError(15600, procedure);
  const described = describedBy(levels.map(text), procedure, call.database ?? caller.host.database);
  const property = { name, value: constantOf(given('@value')) };
  await changeProperties(described, change(property), caller);
  return done;
}

/** The arguments of a call by the names of its parameters; a text that is no longer than names are. */
function argumentsOf({ args }: SpecialCall, procedure: string) {
  const names = procedure === 'sp_dropextendedproperty' ? ['@name', ...levels] : ['@name', '@value', ...levels];
  const places = matchArguments(procedure, indexOfParams(names.map((name) => ({ name }))), args);
  const given = (name: string) => args[places[names.indexOf(name)] ?? -1];
  const text = (name: string): string | undefined => {
    const value = given(name)?.value ?? undefined;
    if (value !== undefined && (typeof value !== 'string' || value.length > 128)) throw sqlError(15600, procedure);
    return value;
  };
  return { given, text };
}

/** A value as a constant: 206 for a type that no sql_variant holds, 15097 for too many bytes. */
function constantOf(arg: SpecialCall['args'][number] | undefined): Literal {
  const { type, value } = arg ?? { type: undefined, value: null };
  if (type === undefined || value === null) return { kind: 'literal', type: int, value: null };
  if (impossible.has(type.name) || type.maxLength < 0) throw sqlError(206, nameInMessage(type.name), 'sql_variant');
  const bytes = typeof value === 'string' ? value.length * (type.name.startsWith('n') ? 2 : 1) : sizeOfBytes(value);
  if (bytes > mostBytes) throw sqlError(15097);
  return { kind: 'literal', type, value };
}

const sizeOfBytes = (value: unknown): number => (value instanceof Uint8Array ? value.length : 0);

/**
 * The object that the levels name: of the classes that SQL Server supports, tables and columns; 15600 for any other.
 */
function describedBy(given: readonly (string | undefined)[], procedure: string, database: string): Described {
  const [schemaType, schema, tableType, table, columnType, column] = given;
  const isType = (type: string | undefined, ...wanted: string[]) => wanted.includes(type?.toUpperCase() ?? '');
  const shown = [schema, table, column].filter((each) => each !== undefined).join('.') || 'object specified';
  const isHalf = (type: string | undefined, name: string | undefined) => (type === undefined) !== (name === undefined);
  if (isHalf(schemaType, schema) || isHalf(tableType, table) || isHalf(columnType, column))
    throw sqlError(15600, procedure);
  const isColumn = isType(columnType, 'COLUMN');
  if (!isType(schemaType, 'SCHEMA', 'USER') || !isType(tableType, 'TABLE') || table === undefined)
    throw sqlError(15135, shown);
  if (columnType !== undefined && !isColumn) throw sqlError(15135, shown);
  return { of: { name: table, database, ...(schema ? { schema } : {}) }, shown, column };
}

async function changeProperties({ of, shown, column }: Described, change: Change, caller: Frame): Promise<void> {
  const { host } = caller;
  const place = placeOf(of, host);
  if (!place?.tables.has(fold(of.name)) || !mayMakeShared(host)) throw sqlError(15135, shown);
  await beginImplicitly(caller);
  const table = await targetTable(of, caller, 'ALTER');
  const described = { of, shown, column };
  const definition = withProperties(definitionOf(table), described, change);
  const { undo } = host.state;
  const copy = await toTheEnd(rebuilt(table, definition, undo, memoryFor(place, host)));
  exchange(place, table, copy, undo);
}

function withProperties(definition: TableDefinition, described: Described, change: Change): TableDefinition {
  const { column: name, shown } = described;
  if (name === undefined) return { ...definition, properties: change(definition.properties ?? [], described) };
  const at = definition.columns.findIndex((each) => fold(each.name) === fold(name));
  const column = definition.columns[at];
  if (column === undefined) throw sqlError(15135, shown);
  const properties = change(column.properties ?? [], described);
  return { ...definition, columns: definition.columns.with(at, { ...column, properties }) };
}
