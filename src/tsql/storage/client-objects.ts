import { fold } from '../../base/text/collation.ts';
import type {
  ClientProcedure,
  ClientView,
  TableCheck,
  TableKey,
  TableReference,
  TemporaryColumn,
  TemporaryTable,
  TsqlView,
} from '../../procedure/relations/tsql-view.ts';
import type { CheckDefinition, ReferenceDefinition } from '../../syntax/ast/table.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import type { MadeView } from './made-view.ts';
import type { MemoryTable } from './memory-table.ts';
import { namedColumns } from './named-columns.ts';
import type { ObjectPlace } from './object-place.ts';
import type { KeyFacts } from './table-keys.ts';
import type { MadeType } from './table-types.ts';

/**
 * What clients made, as the catalog of tempdb lists it: made when asked for, since sessions may share thousands of
 * tables.
 */
export const clientObjects = (
  places: readonly ObjectPlace[],
  types: Iterable<MadeType>,
): Pick<TsqlView, 'schemas' | 'temporaryTables' | 'clientProcedures' | 'clientViews' | 'clientTypes'> => ({
  schemas: places.map(({ schema }) => schema).filter((schema) => schema !== 'dbo'),
  *temporaryTables() {
    for (const { tables } of places) for (const table of tables.values()) yield listedTable(table, places);
  },
  *clientProcedures() {
    for (const { procedures, schema } of places)
      for (const procedure of procedures.values()) yield listedProcedure(procedure, schema);
  },
  *clientViews() {
    for (const { views } of places) for (const view of views.values()) yield listedView(view);
  },
  *clientTypes() {
    for (const { id, schema, table } of types) yield { id, table: { ...listedTable(table, places), schema } };
  },
});

/** A procedure that a client created, as catalogs list it; they do not show T-SQL's defaults. */
export const listedProcedure = (
  { name, objectId, definition }: TemporaryProcedure,
  schema: string,
): ClientProcedure => ({
  schema,
  name,
  objectId,
  definition: `CREATE ${definition.text}`,
  params: definition.params.map((param, at) => ({
    ordinal: at + 1,
    name: param.name,
    type: param.type,
    output: param.output,
    nullable: true,
    byDefault: undefined,
  })),
});

/** A view that a client made, as catalogs list it. */
export const listedView = ({ schema, name, objectId, columns, definition, reads }: MadeView): ClientView => {
  const { isSchemaBound, isChecked, isEncrypted, text } = definition;
  return {
    schema,
    name,
    objectId,
    columns,
    module: { definition: isEncrypted ? null : `CREATE ${text}`, isSchemaBound, isChecked, reads },
  };
};

/** A client's table as the catalog of tempdb lists it. */
export function listedTable(table: MemoryTable, places: readonly ObjectPlace[]): TemporaryTable {
  const { schema, name, objectId } = table;
  const columns = table.columns.map(({ name: column, type, nullable, identity }, at): TemporaryColumn => {
    const defined = table.definition?.columns[at];
    return {
      name: column,
      type,
      nullable,
      ...(identity === undefined ? {} : { identity }),
      ...(defined?.defaultText === undefined ? {} : { byDefault: defined.defaultText }),
      ...(defined?.defaultName === undefined ? {} : { defaultName: defined.defaultName }),
      isComputed: defined?.computed !== undefined,
      ...(defined?.computedText === undefined
        ? {}
        : { computed: { definition: defined.computedText, isPersisted: defined.isPersisted ?? false } }),
      properties: defined?.properties ?? [],
    };
  });
  const names = (at: readonly number[]) => at.flatMap((place) => table.columns[place]?.name ?? []);
  const keys = table.keys.map(
    ({ columns: own, descending = [], included = [], ...facts }): TableKey => ({
      ...facts,
      columns: names(own),
      descending: names(descending),
      included: names(included),
    }),
  );
  const references = (table.definition?.references ?? []).map((reference) => listedReference(reference, places));
  const last = table.lastGiven === undefined ? {} : { lastNumber: table.lastGiven };
  const properties = table.definition?.properties ?? [];
  const checks = (table.definition?.checks ?? []).map((check) => listedCheck(check, table));
  const rows = BigInt(table.rowCount);
  return { schema, name, objectId, columns, keys, references, checks, properties, rows, ...last };
}

function listedCheck(
  { name = '', condition, text, isDisabled = false }: CheckDefinition,
  table: MemoryTable,
): TableCheck {
  const named = namedColumns(condition);
  const columns = table.columns.flatMap((column) => (named.has(fold(column.name)) ? [column.name] : []));
  return { name, definition: text, columns, isDisabled };
}

function listedReference(reference: ReferenceDefinition, places: readonly ObjectPlace[]): TableReference {
  const { name = '', columns, table, referred, onDelete, onUpdate, isDisabled = false } = reference;
  const schema = table.schema ?? 'dbo';
  const place = places.find((each) => fold(each.schema) === fold(schema) && each.tables.has(fold(table.name)));
  const to = place?.tables.get(fold(table.name));
  const names = (key: KeyFacts) => key.columns.map((at) => fold(to?.columns[at]?.name ?? ''));
  const key = to?.keys.find((each) => each.isUnique && referred.every((column) => names(each).includes(fold(column))));
  return {
    name,
    columns,
    to: { schema: place?.schema ?? schema, name: to?.name ?? table.name, key: key?.name ?? '', columns: referred },
    onDelete,
    onUpdate,
    isDisabled,
  };
}
