import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Bindable } from '../../src/base/stored.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { config } from '../../src/protocols/config/kind.ts';
import { databaseOf } from './fill/store.ts';
import type { Bench } from './scenario.ts';
import type { BenchServer } from './server.ts';

/** Rows in one transaction. */
const rowsInAStep = 100_000;

const columns = ['id', 'job_id', 'job_title', 'server_id', 'server_name', 'status', 'start_time', 'end_time'];
const jobs = Array.from({ length: 200 }, (_, at) => `6f9619ff-8b86-d011-b42d-${String(at).padStart(12, '0')}`);
const start = Date.UTC(2024, 0, 1);

function entry(id: number): Bindable[] {
  const begun = start + id * 1000;
  const server = jobs[id % 7] ?? '';
  return [
    id,
    jobs[id % jobs.length] ?? '',
    `Job ${id % jobs.length}`,
    server,
    `server${id % 7}`,
    id % 5,
    begun,
    begun + 500,
  ];
}

/** Fills the history of timer jobs with entries 1 to `rows`, past the procedures. */
export async function fillHistory(engine: Engine, rows: number): Promise<void> {
  const database = await databaseOf(engine, config.firstDatabase);
  for (let first = 1; first <= rows; first += rowsInAStep) {
    const some = Array.from({ length: Math.min(rowsInAStep, rows - first + 1) }, (_, at) => entry(first + at));
    await database.write((db) => db.insert('job_history', columns, some));
  }
}

/** The engine without Granary: a statement in it, all rows of its answer. */
export interface NativePeer extends AsyncDisposable {
  run(statement: string): Promise<unknown>;
}

/** The same rows through node:sqlite in this process, or through node-postgres. */
export function nativePeer(server: BenchServer, engine: Bench['engine']): Promise<NativePeer> {
  return engine === 'sqlite' ? sqlitePeer(server.data) : postgresPeer(server.engine);
}

async function sqlitePeer(folder: string): Promise<NativePeer> {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(folder, name))
    .find(hasHistory);
  if (file === undefined) throw new Error(`no file in ${folder} has the history of timer jobs`);
  const database = new DatabaseSync(file, { readOnly: true });
  return {
    run: async (statement) => database.prepare(statement).all(),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

function hasHistory(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  const found = database.prepare("select 1 from sqlite_schema where name = 'job_history'").get();
  database.close();
  return found !== undefined;
}

async function postgresPeer(url: string): Promise<NativePeer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select schemaname from pg_tables where tablename = 'job_history'");
  await client.query(`set search_path to ${client.escapeIdentifier(String(rows[0]?.schemaname))}`);
  await client.query('analyze job_history');
  return {
    run: (statement) => client.query(statement),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
