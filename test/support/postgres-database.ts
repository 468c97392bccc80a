import { randomBytes } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPostgres } from './engines.ts';
import type { FirstStart } from './first-start.ts';
import { copyPostgresDatabase, postgres, urlOf } from './prepared-data.ts';

/** Makes a PostgreSQL database for one test server; dropped, with whoever is still connected, when disposed. */
export async function newPostgresDatabase(first?: FirstStart): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = await testPostgres();
  const name = `t${randomBytes(6).toString('hex')}`;
  if (first === undefined || !(await copyOf(server, name, first))) {
    await postgres(server, (client) => client.query(`create database ${name}`));
  }
  return {
    url: urlOf(server, name),
    [Symbol.asyncDispose]: async () => {
      await postgres(server, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

async function copyOf(server: string, name: string, { contents, make }: FirstStart): Promise<boolean> {
  // A server on PostgreSQL needs a folder as well, and keeps nothing there that another start wants.
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-test-'));
  return await copyPostgresDatabase(server, name, contents, (engine) => make({ data: folder.path, engine }));
}
