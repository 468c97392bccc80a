import { formatMessage, SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Db } from '../../engine/db.ts';
import {
  type Change,
  type Changes,
  isStored,
  type Relation,
  type StoredRelation,
} from '../../procedure/relations/relation.ts';
import type { Target } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import type { ChangedTable } from '../host.ts';
import { tableNamed } from '../storage/object-place.ts';

/** A relation of a database that a statement changes. */
export interface StoredTarget {
  readonly relation: Changeable;
  readonly database: string;
}

type Changeable = StoredRelation & { readonly changes: Changes };

const isChangeable = (relation: Relation, change: Change): relation is Changeable =>
  isStored(relation) && relation.changes?.allow.includes(change) === true;

/** What 229 calls the right to a change. */
const rights: Record<Change, string> = { INSERT: 'INSERT', UPDATE: 'UPDATE', DELETE: 'DELETE', TRUNCATE: 'ALTER' };

/**
 * The relation that a statement is to change; undefined for any other table, 259 for a catalog view, 229 for one that
 * nobody may change so, or not this login.
 */
export async function storedTarget(target: Target, frame: Frame, change: Change): Promise<StoredTarget | undefined> {
  const { host } = frame;
  if ('variable' in target || target.name.startsWith('#') || tableNamed(target, host) !== undefined) return undefined;
  const relation = await host.relation(target);
  if (relation === undefined) return undefined;
  if (!isStored(relation) && relation.schema === 'sys') throw sqlError(259);
  const database = target.database ?? host.database;
  if (!isChangeable(relation, change)) throw sqlError(229, rights[change], relation.name, database, relation.schema);
  await host.mayChange(changedTable({ relation, database }, change));
  return { relation, database };
}

const changedTable = ({ relation: { schema, name }, database }: StoredTarget, change: Change): ChangedTable => ({
  database,
  schema,
  name,
  right: rights[change],
});

/**
 * Runs work in a transaction, or in the client's: 229 without the role for it. `alone` among writers nothing makes it
 * run again; else it may, after a conflict. Errors of the engine come in the relation's terms.
 */
export async function changing<T>(
  target: StoredTarget,
  change: Change,
  { host, signal }: Frame,
  work: (db: Db) => Promise<T>,
  alone = false,
): Promise<T> {
  try {
    return await host.write({ ...changedTable(target, change), alone }, work, signal);
  } catch (error) {
    throw inTermsOf(target.relation, error);
  }
}

const duplicate =
  /^Violation of (?<kind>PRIMARY KEY|UNIQUE KEY) constraint '(?<name>[^']*)'\. .*?(?: The duplicate key value is \((?<values>.*)\)\.)?$/s;

/**
 * An error of the engine in terms of the relation: 2627 for a primary key or a unique constraint, 2601 for a unique
 * index. Clients do not know the names of the underlying tables.
 */
function inTermsOf(relation: StoredRelation, error: unknown): unknown {
  if (!(error instanceof SqlError) || error.number !== 2627) return error;
  const { kind, name = '', values } = duplicate.exec(error.message)?.groups ?? {};
  if (kind === undefined) return error;
  const object = `${relation.schema}.${relation.name}`;
  const isIndex = kind === 'UNIQUE KEY' && !/_key$|^UQ_/.test(name);
  const shown = `(${values})`;
  const constraint = `${kind === 'PRIMARY KEY' ? 'PK' : 'UQ'}_${relation.name}`;
  const text = isIndex
    ? formatMessage(2601, [object, name, shown])
    : formatMessage(2627, [kind, constraint, object, shown]);
  const told = values === undefined ? text.replace(/ The duplicate key value is .*$/s, '') : text;
  return new SqlError(isIndex ? 2601 : 2627, told, { severity: 14, cause: error });
}
