import { formatMessage, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { toTheEnd } from '../../base/threads/steps.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import { columnsOf } from '../../procedure/relations/columns-of.ts';
import type {
  CreateIndex,
  CreateProcedure,
  CreateTable,
  Drop,
  DropIndex,
  InsertBulk,
  StatementOf,
} from '../../syntax/ast/statement.ts';
import type { TableDefinition } from '../../syntax/ast/table.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import { createTable, withNames } from '../storage/create-table.ts';
import { columnPlace, type MemoryTable } from '../storage/memory-table.ts';
import { keepModule, removeModule } from '../storage/modules.ts';
import {
  isShared,
  mayMakeShared,
  memoryFor,
  placeToCreate,
  placeToDrop,
  replaced,
  tableNamed,
  takenForText,
} from '../storage/object-place.ts';
import { referencesTo, referenceToKey, settledReferences } from '../storage/references.ts';
import type { KeyFacts } from '../storage/table-keys.ts';
import { changing, storedTarget } from '../stored/target.ts';
import { type Completion, ended, next } from './completion.ts';
import { targetTable } from './rows.ts';
import { completed, keepTable, placeOfNew } from './table-definition.ts';
import { dropType } from './table-type.ts';
import { beginImplicitly } from './transaction.ts';
import { dropView, refuseBound, refuseOtherKind } from './view.ts';

const refused = (permission: string, { host }: Frame) => sqlError(262, permission, host.database);

/** CREATE TABLE #t, or any table in tempdb. */
export async function runCreateTable({ name, definition }: CreateTable, frame: Frame): Promise<Completion> {
  const { state } = frame.host;
  const place = placeOfNew(name, frame);
  await beginImplicitly(frame);
  const whole = withNames(name.name, withReferences(name, await completed(definition, frame), frame));
  const made = { objectId: place.newObjectId(), undo: state.undo, memory: memoryFor(place, frame.host) };
  const table = createTable({ name: name.name, definition: whole, ...made });
  table.schema = place.schema;
  await keepTable(table, place, frame);
  return ended(frame.sink, { command: 'create table' });
}

/** The foreign keys of a definition; those of temporary tables are ignored, which the client is told. */
export function withReferences(name: ObjectName, definition: TableDefinition, { host, sink }: Frame): TableDefinition {
  if (!name.name.startsWith('#')) return { ...definition, references: settledReferences(name, definition, host) };
  for (const reference of definition.references) {
    const text = formatMessage(1766, [reference.name ?? '']);
    sink.info({ number: 1766, severity: 10, state: 1, text });
  }
  return { ...definition, references: [] };
}

/** CREATE INDEX on a temporary table: a unique one is kept as a key, of any other only the catalog knows. */
export async function runCreateIndex(
  { name, unique, table: target, columns, filter, ...index }: CreateIndex,
  frame: Frame,
): Promise<Completion> {
  await beginImplicitly(frame);
  const table = await targetTable(target, frame, 'ALTER', 1088);
  const placesOf = (names: readonly string[] = []) => names.map((column) => columnPlace(table.columns, column, 1911));
  if (table.keys.some((key) => fold(key.name) === fold(name)))
    throw sqlError(1913, name, `${table.schema}.${table.name}`);
  const { ignoresDuplicates = false, clustered: isClustered = false } = index;
  const facts: KeyFacts = {
    name,
    kind: 'index',
    columns: placesOf(columns),
    descending: placesOf(index.descending),
    included: placesOf(index.included),
    present: placesOf(index.present),
    ignoresDuplicates,
    isUnique: unique,
    isClustered,
    ...(filter === undefined ? {} : { filter }),
  };
  await toTheEnd(table.addKey(facts));
  frame.host.state.undo.record(() => table.dropIndex(name).settle());
  return ended(frame.sink, { command: 'create index' });
}

/**
 * DROP INDEX on a temporary table: 3701 if there is none of that name, 3723 if it is that of a constraint. With IF
 * EXISTS its table need not exist either.
 */
export async function runDropIndex({ indexes, ifExists }: DropIndex, frame: Frame): Promise<Completion> {
  await beginImplicitly(frame);
  for (const { name, table: target } of indexes) {
    if (ifExists && tableNamed(target, frame.host) === undefined) continue;
    const table = await targetTable(target, frame, 'ALTER');
    const shown = [target.schema, target.name, name].filter((part) => part !== undefined).join('.');
    const key = table.keys.find((each) => fold(each.name) === fold(name));
    if (key !== undefined && key.kind !== 'index') throw sqlError(3723, shown, key.kind);
    if (key === undefined && !ifExists) throw sqlError(3701, 'drop', 'index', shown);
    if (key === undefined) continue;
    if (referenceToKey(table, key.name, frame.host) !== undefined) throw sqlError(3723, shown, 'FOREIGN KEY');
    const { undo } = frame.host.state;
    const dropped = table.dropIndex(key.name);
    if (undo.isActive) undo.record(dropped.undo, dropped.settle);
    else dropped.settle();
  }
  return ended(frame.sink, { command: 'drop index' });
}

/** CREATE or ALTER PROCEDURE #p, or any procedure in tempdb. */
export async function runCreateProcedure(definition: CreateProcedure, frame: Frame): Promise<Completion> {
  const { name } = definition.name;
  const place = placeToCreate(definition.name, frame.host);
  if (place === undefined) throw refused(definition.alter ? 'ALTER PROCEDURE' : 'CREATE PROCEDURE', frame);
  await beginImplicitly(frame);
  const known = place.procedures.get(fold(name));
  const isTaken = place.views.has(fold(name)) || (known !== undefined && !definition.alter && !definition.orAlter);
  if (isTaken) throw sqlError(2714, name);
  if (known === undefined && definition.alter) throw sqlError(208, name);
  if (known !== undefined && !mayChange(known, frame.host)) throw sqlError(15151, 'alter', 'procedure', name);
  const { spid, login, isAdministrator } = frame.host.identity;
  const maker = { spid: known?.maker.spid ?? spid, login, isAdministrator };
  const memory = takenForText(definition.text, place, frame.host);
  const objectId = known?.objectId ?? place.newObjectId();
  keepModule(place.procedures, { name, definition, objectId, maker, memory }, frame.host.state.undo);
  return ended(frame.sink, { command: 'create procedure' });
}

/** Only its creator and administrators may change a procedure: it runs with the rights of its callers. */
const mayChange = ({ maker }: TemporaryProcedure, { identity }: Host): boolean =>
  identity.isAdministrator || fold(maker.login) === fold(identity.login);

/** CREATE SCHEMA in tempdb, for administrators. */
export async function runCreateSchema({ name }: StatementOf<'createSchema'>, frame: Frame): Promise<Completion> {
  const { tempDb, state, database } = frame.host;
  if (!mayMakeShared(frame.host) || fold(database) !== 'tempdb') throw refused('CREATE SCHEMA', frame);
  await beginImplicitly(frame);
  const key = fold(name);
  if (builtIn.has(key) || tempDb.schemas.has(key)) throw sqlError(2714, name);
  tempDb.schemas.set(key, tempDb.newSchema(name));
  state.undo.record(() => tempDb.schemas.delete(key));
  return ended(frame.sink, { command: 'other' });
}

/** The schemas that every database has. */
const builtIn: ReadonlySet<string> = new Set(['dbo', 'guest', 'information_schema', 'sys']);

/** 3729 for one that is not empty. */
function dropSchema(name: string, { host }: Frame): boolean {
  const { schemas } = host.tempDb;
  const key = fold(name);
  const schema = mayMakeShared(host) && fold(host.database) === 'tempdb' ? schemas.get(key) : undefined;
  if (schema === undefined) return false;
  const types = [...host.tempDb.types.all].filter((type) => fold(type.schema) === key);
  const { tables, procedures, views } = schema;
  const [inside] = [...tables.values(), ...procedures.values(), ...views.values(), ...types];
  if (inside !== undefined) throw sqlError(3729, 'drop schema', name, inside.name);
  schemas.delete(key);
  host.state.undo.record(() => schemas.set(key, schema));
  return true;
}

/** DROP of temporary tables and procedures, of views, and of databases if the host allows it. */
export async function runDrop(statement: Drop, frame: Frame): Promise<Completion> {
  if (statement.what !== 'database') await beginImplicitly(frame);
  for (const name of statement.names) {
    if (statement.what === 'type') {
      dropType(name, statement.ifExists, frame.host);
      continue;
    }
    if ((await dropOne(statement, name, frame)) || statement.ifExists) continue;
    if (statement.what === 'schema') throw sqlError(15151, 'drop', 'schema', name.name);
    throw sqlError(3701, 'drop', statement.type, name.name);
  }
  const { what } = statement;
  frame.sink.done({ command: what === 'other' || what === 'type' || what === 'view' ? 'other' : `drop ${what}` });
  return next;
}

async function dropOne({ what }: Drop, name: ObjectName, frame: Frame): Promise<boolean> {
  const { host } = frame;
  if (what === 'schema') return dropSchema(name.name, frame);
  const place = placeToDrop(name, host);
  const key = fold(name.name);
  if (place !== undefined) refuseOtherKind(what, name.name, place);
  if (what === 'view') return dropView(name, place, frame);
  if (what === 'procedure') {
    const procedure = place?.procedures.get(key);
    if (place === undefined || procedure === undefined || !mayChange(procedure, host)) return false;
    removeModule(place.procedures, procedure, host.state.undo);
    return true;
  }
  if (what === 'database') refuseInTransaction('DROP DATABASE', frame);
  if (what === 'database' && host.dropDatabase !== undefined) {
    await host.dropDatabase(name.name);
    return true;
  }
  const table = what === 'table' ? place?.tables.get(key) : undefined;
  if (table === undefined || place === undefined) return false;
  if (isReferred(table, host)) throw sqlError(3726, name.name);
  refuseBound('DROP TABLE', table, host);
  if (isShared(place, host)) await host.tempDb.lock(table, 'change', host, frame.signal);
  place.tables.delete(key);
  replaced(host.state.undo, () => place.tables.set(key, table), table);
  return true;
}

const isReferred = (table: MemoryTable, host: Host): boolean =>
  referencesTo(table, host).some(({ from }) => from !== table);

export async function runTruncate(statement: StatementOf<'truncate'>, frame: Frame): Promise<Completion> {
  const stored = await storedTarget(statement.table, frame, 'TRUNCATE');
  if (stored !== undefined) {
    await beginImplicitly(frame);
    await changing(stored, 'TRUNCATE', frame, (db) => db.truncate(stored.relation.changes.table));
    return ended(frame.sink, { command: 'truncate table' });
  }
  const table = await targetTable(statement.table, frame, 'ALTER', 4701);
  await beginImplicitly(frame);
  if (isReferred(table, frame.host)) throw sqlError(4712, table.name);
  await toTheEnd(table.truncate());
  return ended(frame.sink, { command: 'truncate table' });
}

/** What cannot be undone is not done inside a transaction. */
function refuseInTransaction(statement: string, { host }: Frame): void {
  if (host.transactions.count > 0) throw sqlError(226, statement);
}

export async function runCreateDatabase(statement: StatementOf<'createDatabase'>, frame: Frame): Promise<Completion> {
  refuseInTransaction('CREATE DATABASE', frame);
  if (frame.host.createDatabase === undefined) throw sqlError(262, 'CREATE DATABASE', 'master');
  await frame.host.createDatabase(statement.name);
  return ended(frame.sink, { command: 'create database' });
}

/** INSERT BULK says which table and columns the rows of the next message are for. */
export async function runInsertBulk(statement: InsertBulk, frame: Frame): Promise<Completion> {
  const stored = await storedTarget(statement.target, frame, 'INSERT');
  const columns =
    stored === undefined
      ? (await targetTable(statement.target, frame, 'INSERT')).columns
      : columnsOf(stored.relation.columns);
  const known = new Set(columns.map(({ name }) => fold(name)));
  const unknown = statement.columns.find(({ name }) => !known.has(fold(name)));
  if (unknown !== undefined) {
    // SQL Server sends DONE with the error bit but no ERROR here, which drivers rely on; the message is for people.
    frame.sink.info({ number: 207, severity: 10, state: 1, text: formatMessage(207, [unknown.name]) });
    return ended(frame.sink, { command: 'insert bulk', failed: true });
  }
  frame.host.state.bulk = statement;
  return ended(frame.sink, { command: 'insert bulk' });
}
