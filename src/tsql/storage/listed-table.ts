import type { TableKey, TemporaryColumn, TemporaryTable } from '../../procedure/call.ts';
import type { MemoryTable } from './memory-table.ts';

/** A client's table as the catalog of tempdb lists it. */
export function listedTable(table: MemoryTable): TemporaryTable {
  const { name, objectId } = table;
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
  return { name, objectId, columns, keys };
}
