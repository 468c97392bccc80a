import { objectId } from '../describe.ts';
import { isStored, type Relation } from './relation.ts';
import type { TableKey } from './tsql-view.ts';

type Kind = TableKey['kind'];

const prefixes: Readonly<Record<Kind, string>> = { 'PRIMARY KEY': 'PK', 'UNIQUE KEY': 'UQ', index: 'IX' };

/** A name as SQL Server makes them: of the table, and a number that stays what it is as long as the columns do. */
function nameOf(kind: Kind, { schema, name }: Relation, columns: readonly string[]): string {
  if (kind === 'index') return `IX_${name}_${columns.join('_')}`.slice(0, 128);
  const half = (of: string) => (objectId(schema, of) >>> 0).toString(16).toUpperCase().padStart(8, '0');
  const key = `${name} ${columns.join(' ')}`;
  return `${prefixes[kind]}__${name.slice(0, 9)}__${half(key)}${half(`${kind} ${key}`)}`;
}

/** The keys and indexes that a table of a database declares, as the catalog lists them. */
export function keysOf(relation: Relation): readonly TableKey[] {
  if (!isStored(relation) || relation.type !== 'table') return [];
  const key = (kind: Kind, columns: readonly string[]): TableKey => ({
    name: nameOf(kind, relation, columns),
    kind,
    isUnique: kind !== 'index',
    isClustered: kind === 'PRIMARY KEY',
    ignoresDuplicates: false,
    columns,
  });
  return [
    ...(relation.primaryKey ? [key('PRIMARY KEY', relation.primaryKey)] : []),
    ...(relation.uniqueKeys ?? []).map((columns) => key('UNIQUE KEY', columns)),
    ...(relation.indexes ?? []).map((columns) => key('index', columns)),
  ];
}
