import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { silentLog } from '../../src/base/log/log.ts';
import { hangUp } from '../../src/engine/postgres/connect/open-session.ts';
import { Server } from '../../src/engine/postgres/connect/server.ts';
import { NoServer, Unreachable } from '../../src/engine/postgres/errors.ts';
import { testPostgres } from '../support/engines.ts';
import { postgres } from '../support/prepared-data.ts';

/** A role of its own, and how to let it in and keep it out. */
async function newRole() {
  const store = await testPostgres();
  const name = `r${randomBytes(6).toString('hex')}`;
  const password = randomBytes(6).toString('hex');
  const ask = (text: string) => postgres(store, (client) => client.query(text));
  await ask(`create role ${name} login password '${password}'`);
  const url = new URL(store);
  [url.username, url.password] = [name, password];
  return {
    server: () => new Server({ url: url.href, log: silentLog }),
    login: async (can: 'login' | 'nologin') => void (await ask(`alter role ${name} ${can}`)),
    [Symbol.asyncDispose]: async () => void (await ask(`drop role ${name}`)),
  };
}

const reach = async (server: Server) => hangUp((await server.connect({ settings: {} })).client);

describe('a PostgreSQL that refuses the login of a server', () => {
  test('is away to one that had been let in before: calls wait, and go on when they are let in again', async () => {
    await using role = await newRole();
    const server = role.server();
    await reach(server);
    await role.login('nologin');
    await assert.rejects(reach(server), NoServer);
    assert.match(server.absence ?? '', /PostgreSQL cannot be reached: .*is not permitted to log in/);
    let tries = 0;
    await server.patiently(async () => {
      if (++tries === 3) await role.login('login');
      await reach(server);
    });
    assert.equal(tries, 3);
    assert.equal(server.absence, undefined);
  });

  test('ends a start at once', async () => {
    await using role = await newRole();
    await role.login('nologin');
    const server = role.server();
    await assert.rejects(reach(server), (error) => error instanceof Error && !(error instanceof Unreachable));
  });
});
