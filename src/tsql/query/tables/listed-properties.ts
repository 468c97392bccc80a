import { fold } from '../../../base/text/collation.ts';
import type { ExtendedProperty } from '../../../syntax/ast/table.ts';
import type { Context } from '../../evaluate/context.ts';
import { definitionOf } from '../../storage/alter-table.ts';
import type { PlanColumn } from '../plan.ts';
import type { TableFunction } from './table-function.ts';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isOne = (wanted: string | undefined, name: string): boolean =>
  wanted === undefined || fold(wanted) === fold(name);

/** The properties of tables, or of their columns, that the levels ask for; NULL asks for all of a level. */
function* listed(values: readonly unknown[], { frame }: Context): Generator<readonly unknown[]> {
  const [name, schemaType, schema, tableType, table, columnType, column] = values.map(textOf);
  const { host } = frame;
  const isType = (type: string | undefined, wanted: string) => type?.toUpperCase() === wanted;
  if (fold(host.database) !== 'tempdb' || !isType(schemaType, 'SCHEMA') || !isType(tableType, 'TABLE')) return;
  function* rows(type: string, of: string, properties: readonly ExtendedProperty[] = []) {
    for (const each of properties)
      if (isOne(name, each.name)) yield [type, of, each.name, each.value.value === null ? null : each.value];
  }
  for (const place of host.tempDb.places) {
    if (!isOne(schema, place.schema)) continue;
    for (const each of place.tables.values()) {
      if (!isOne(table, each.name)) continue;
      const { columns, properties } = definitionOf(each);
      if (columnType === undefined) yield* rows('TABLE', each.name, properties);
      else if (isType(columnType, 'COLUMN'))
        for (const of of columns) if (isOne(column, of.name)) yield* rows('COLUMN', of.name, of.properties);
    }
  }
}

/** fn_listextendedproperty: the extended properties of the tables of tempdb and of their columns. */
export const listedProperties = (columns: readonly PlanColumn[]): TableFunction => ({
  arity: 7,
  columns,
  asks: true,
  rows: listed,
});
