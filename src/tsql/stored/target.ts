import { sqlError } from '../../base/sql-error.ts';
import type { Db } from '../../engine/db.ts';
import { type Change, type Changes, isStored, type Relation, type StoredRelation } from '../../procedure/relation.ts';
import type { Target } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import type { ChangedTable } from '../host.ts';
import { tableNamed } from '../storage/object-place.ts';
import { inTermsOf } from './naming.ts';

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
 * The relation that a statement is to change; undefined for any other table, 229 for one that nobody may change so, or
 * not this login.
 */
export async function storedTarget(target: Target, frame: Frame, change: Change): Promise<StoredTarget | undefined> {
  const { host } = frame;
  if ('variable' in target || target.name.startsWith('#') || tableNamed(target, host) !== undefined) return undefined;
  const relation = await host.relation(target);
  if (relation === undefined) return undefined;
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
