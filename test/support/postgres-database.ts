import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testPostgres } from './engines.ts';

/** Makes a PostgreSQL database for one test server; dropped, with whoever is still connected, when disposed. */
export async function newPostgresDatabase(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = await testPostgres();
  const name = `t${randomBytes(6).toString('hex')}`;
  await run(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => run(server, `drop database ${name} with (force)`),
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
