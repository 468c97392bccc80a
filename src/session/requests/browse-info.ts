import type { Column } from '../../procedure/run/sink.ts';
import { type ColumnStatus, columnStatus, type TableName } from '../../tds/token/index.ts';
import type { ColumnSource } from '../../tsql/statement-sink.ts';

/** The contents of TABNAME and COLINFO: each table once, and for every column its place among them. */
export function browseInfo(
  sources: readonly ColumnSource[],
  shown: readonly Pick<Column, 'name'>[],
): { readonly tables: readonly TableName[]; readonly columns: readonly ColumnStatus[] } {
  const places: (object | number)[] = [];
  const tables: TableName[] = [];
  const columns = sources.map(({ table, column, isKey, isHidden }, at): ColumnStatus => {
    if (table !== undefined && !places.includes(table.place)) {
      places.push(table.place);
      tables.push(table.name);
    }
    const status =
      (table === undefined ? columnStatus.expression : 0) |
      (isKey ? columnStatus.key : 0) |
      (isHidden ? columnStatus.hidden : 0);
    const isRenamed = column !== undefined && column !== shown[at]?.name;
    const place = table === undefined ? 0 : places.indexOf(table.place) + 1;
    return { column: at + 1, table: place, status, ...(isRenamed ? { name: column } : {}) };
  });
  return { tables, columns };
}
