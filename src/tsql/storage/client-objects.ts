import type { TableKey, TemporaryColumn, TemporaryTable, TsqlView } from '../../procedure/call.ts';
import { listed } from '../procedures/temporary.ts';
import type { MemoryTable } from './memory-table.ts';
import type { ObjectPlace } from './object-place.ts';

/** What clients made, as the catalog of tempdb lists it. */
export const clientObjects = (
  places: readonly ObjectPlace[],
): Pick<TsqlView, 'schemas' | 'temporaryTables' | 'clientProcedures'> => ({
  schemas: places.map(({ schema }) => schema).filter((schema) => schema !== 'dbo'),
  temporaryTables: places.flatMap(({ tables }) => [...tables.values()].map(listedTable)),
  clientProcedures: places.flatMap(({ procedures, schema }) =>
    [...procedures.values()].map((procedure) => listed(procedure, schema)),
  ),
});

/** A client's table as the catalog of tempdb lists it. */
function listedTable(table: MemoryTable): TemporaryTable {
  const { schema, name, objectId } = table;
  const columns = table.columns.map(({ name: column, type, nullable, identity }, at): TemporaryColumn => {
    const defined = table.definition?.columns[at];
    return {
      name: column,
      type,
      nullable,
      ...(identity === undefined ? {} : { identity }),
      ...(defined?.defaultText === undefined ? {} : { byDefault: defined.defaultText }),
      isComputed: defined?.computed !== undefined,
    };
  });
  const keys = table.keys.map(
    ({ name: key, kind, columns: places, ignoresDuplicates, isUnique }): TableKey => ({
      name: key,
      kind,
      isUnique,
      ignoresDuplicates,
      columns: places.flatMap((at) => table.columns[at]?.name ?? []),
    }),
  );
  return { schema, name, objectId, columns, keys };
}
