import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { CreateIndex, CreateProcedure, CreateTable, Drop, InsertBulk, Statement } from '../ast/statement.ts';
import type { Frame } from '../frame.ts';
import { createTable } from '../storage/create-table.ts';
import { type Completion, next } from './completion.ts';
import { targetTable } from './rows.ts';
import { completed } from './table-definition.ts';
import { beginImplicitly } from './transaction.ts';

const refused = (permission: string, { host }: Frame) => sqlError(262, permission, host.database);

/** CREATE TABLE #t. */
export async function runCreateTable({ name, definition }: CreateTable, frame: Frame): Promise<Completion> {
  if (!name.name.startsWith('#')) throw refused('CREATE TABLE', frame);
  const { state } = frame.host;
  const key = fold(name.name);
  if (state.tables.has(key)) throw sqlError(2714, name.name);
  await beginImplicitly(frame);
  state.tables.set(key, createTable(name.name, await completed(definition, frame), state.newObjectId(), state.undo));
  frame.created.push(key);
  state.undo.record(() => state.tables.delete(key));
  frame.sink.done({ command: 'create table' });
  return next;
}

/** CREATE INDEX on a temporary table: a unique one is kept as a key, any other has nothing to do. */
export async function runCreateIndex(
  { name, unique, table: target, columns }: CreateIndex,
  frame: Frame,
): Promise<Completion> {
  const table = await targetTable(target, frame, 'ALTER');
  const places = columns.map((column) => {
    const at = table.columns.findIndex((each) => fold(each.name) === fold(column));
    if (at < 0) throw sqlError(1911, column);
    return at;
  });
  if (unique) table.addKey(name, 'index', places);
  frame.sink.done({ command: 'other' });
  return next;
}

/** CREATE or ALTER PROCEDURE #p. */
export async function runCreateProcedure(definition: CreateProcedure, frame: Frame): Promise<Completion> {
  const { name } = definition.name;
  if (!name.startsWith('#')) throw refused(definition.alter ? 'ALTER PROCEDURE' : 'CREATE PROCEDURE', frame);
  const { state } = frame.host;
  const known = state.procedures.get(fold(name));
  if (known !== undefined && !definition.alter) throw sqlError(2714, name);
  if (known === undefined && definition.alter) throw sqlError(208, name);
  state.procedures.set(fold(name), { name, definition, objectId: known?.objectId ?? state.newObjectId() });
  frame.sink.done({ command: 'create procedure' });
  return next;
}

/** DROP of temporary tables and procedures, and of databases where the host allows it. */
export async function runDrop(statement: Drop, frame: Frame): Promise<Completion> {
  for (const name of statement.names) {
    if (!(await dropOne(statement, name, frame)) && !statement.ifExists)
      throw sqlError(3701, 'drop', statement.type, name.name);
  }
  const command =
    statement.what === 'table' ? 'drop table' : statement.what === 'procedure' ? 'drop procedure' : 'other';
  frame.sink.done({ command });
  return next;
}

async function dropOne({ what }: Drop, { name }: ObjectName, frame: Frame): Promise<boolean> {
  const { host } = frame;
  const key = fold(name);
  if (what === 'procedure') return host.state.procedures.delete(key);
  if (what === 'database' && host.dropDatabase !== undefined) {
    await host.dropDatabase(name);
    return true;
  }
  const table = what === 'table' ? host.state.tables.get(key) : undefined;
  if (table === undefined) return false;
  host.state.tables.delete(key);
  host.state.undo.record(() => host.state.tables.set(key, table));
  return true;
}

export async function runTruncate(
  statement: Extract<Statement, { kind: 'truncate' }>,
  frame: Frame,
): Promise<Completion> {
  const table = await targetTable(statement.table, frame, 'ALTER');
  await beginImplicitly(frame);
  table.truncate();
  frame.sink.done({ command: 'truncate table' });
  return next;
}

export async function runCreateDatabase(
  statement: Extract<Statement, { kind: 'createDatabase' }>,
  frame: Frame,
): Promise<Completion> {
  if (frame.host.createDatabase === undefined) throw sqlError(262, 'CREATE DATABASE', 'master');
  await frame.host.createDatabase(statement.name);
  frame.sink.done({ command: 'other' });
  return next;
}

/** INSERT BULK says which table and columns the rows of the next message are for. */
export async function runInsertBulk(statement: InsertBulk, frame: Frame): Promise<Completion> {
  const table = await targetTable(statement.target, frame, 'INSERT');
  for (const { name } of statement.columns) {
    if (!table.columns.some((column) => fold(column.name) === fold(name))) throw sqlError(207, name);
  }
  frame.host.state.bulk = statement;
  frame.sink.done({ command: 'insert bulk' });
  return next;
}
