import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import pg from 'pg';
import { type Clock, ManualClock } from '../../src/base/clock.ts';
import { type Log, silentLog } from '../../src/base/log/log.ts';
import type { Engine, Schema } from '../../src/engine/engine.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { SqliteEngine } from '../../src/engine/sqlite/engine.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';

/** The engines that every rule is checked on. */
export const engineNames = ['sqlite', 'postgres'] as const;

export type EngineName = (typeof engineNames)[number];

/** Runs a suite once for each engine. */
export function forEachEngine(suite: (engine: EngineName) => void): void {
  for (const name of engineNames) describe(`on ${name}`, () => suite(name));
}

/** Storage that is empty at first: several engines may be opened on it, at once or one after another. */
export interface Store extends AsyncDisposable {
  readonly engine: EngineName;
  /** What another process needs to know to open the same store: a folder, or an address and a prefix. */
  readonly place: readonly string[];
  /** Makes an engine on the store, not yet started. */
  connect(options: StoreOptions): Engine;
}

export interface StoreOptions {
  readonly schemas: readonly Schema[];
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Makes storage of its own for a test; it is removed at the end. */
export async function newStore(engine: EngineName): Promise<Store> {
  return engine === 'sqlite' ? newFolder() : newPrefix();
}

/** A started engine on fresh storage, removed with it. */
export async function openEngine(name: EngineName, options: StoreOptions): Promise<Engine & AsyncDisposable> {
  const store = await newStore(name);
  const engine = store.connect(options);
  const stop = engine.stop.bind(engine);
  engine.stop = async () => {
    await stop();
    await store[Symbol.asyncDispose]();
  };
  await engine.start();
  return engine;
}

async function newFolder(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  return {
    engine: 'sqlite',
    place: [folder],
    connect: ({ schemas, clock = new ManualClock(), log = silentLog }) =>
      new SqliteEngine({ folder, schemas, clock, log }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function newPrefix(): Promise<Store> {
  const url = await testPostgres();
  const prefix = `t${randomBytes(6).toString('hex')}`;
  return {
    engine: 'postgres',
    place: [url, prefix],
    connect: ({ schemas, clock = new ManualClock(), log = silentLog }) =>
      new PostgresEngine({ url, schemas, clock, log, prefix, poolSize: 4 }),
    [Symbol.asyncDispose]: () => dropSchemas(url, prefix),
  };
}

async function dropSchemas(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('select nspname from pg_namespace where starts_with(nspname, $1)', [prefix]);
    for (const { nspname } of rows) await client.query(`drop schema ${client.escapeIdentifier(nspname)} cascade`);
  } finally {
    await client.end();
  }
}

let own: Promise<RunningPostgres> | undefined;

/** The address of the PostgreSQL of this test run; without one in the environment this process starts its own. */
export async function testPostgres(): Promise<string> {
  const shared = process.env['GRANARY_TEST_POSTGRES'];
  if (shared !== undefined && shared !== '') return shared;
  own ??= startPostgres({ fsync: false });
  return (await own).url;
}

after(async () => {
  await (await own)?.stop();
});
