import { objectId } from '../../procedure/describe.ts';
import { columnsOf } from '../../procedure/relations/columns-of.ts';
import { theMoment } from '../../procedure/relations/relation.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { ColumnDefinition } from '../../syntax/ast/table.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { MemoryTable, type TableColumn } from '../storage/memory-table.ts';
import type { StoredTarget } from './target.ts';

const numbered = { seed: 1n, increment: 1n };

const getUtcDate: Expression = { kind: 'call', name: 'GETUTCDATE', args: [], distinct: false, star: false };

const expressed = (byDefault: unknown, type: AnyType): Expression =>
  byDefault === theMoment ? getUtcDate : { kind: 'literal', type, value: byDefault };

/**
 * An empty table with the columns of a relation: statements work on its rows, which are then written to the database.
 */
export function standIn({ relation, database }: StoredTarget): MemoryTable {
  const columns = columnsOf(relation.columns).map(({ name, type, nullable }): TableColumn & ColumnDefinition => {
    const { identity, byDefault } = relation.stored[name] ?? {};
    return {
      name,
      type,
      nullable,
      ...(identity ? { identity: numbered } : {}),
      ...(byDefault === undefined ? {} : { default: expressed(byDefault, type) }),
    };
  });
  const definition = { columns, keys: [], checks: [], references: [] };
  const table = new MemoryTable({
    name: relation.name,
    objectId: objectId(relation.schema, relation.name),
    columns,
    definition,
  });
  table.schema = relation.schema;
  table.database = database;
  return table;
}
