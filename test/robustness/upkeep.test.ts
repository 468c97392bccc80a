import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../src/engine/sql.ts';
import { procedure } from '../../src/procedure/declare.ts';
import type { Kind } from '../../src/procedure/kind.ts';
import { required } from '../../src/procedure/param.ts';
import { bigint } from '../../src/tds/types/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { lab } from './support/lab.ts';
import { RawClient } from './support/raw-client.ts';
import { errors } from './support/tokens.ts';

/** Well under the half minute after which upkeep looks by itself. */
const timeout = 15_000;

forEachEngine((engine) => {
  describe('upkeep', () => {
    let server: TestServer;
    let client: RawClient;
    let removed: PromiseWithResolvers<number>;

    const labLeave = procedure({
      name: 'lab_Leave',
      section: 'test',
      summary: 'Keeps a note that upkeep removes.',
      access: 'write',
      leavesWork: true,
      params: { Id: required(bigint, 'Its number.') },
      outcomes: { done: { code: 0, meaning: 'Done.' } },
      async handle({ db }, { Id }) {
        await db.run(sql`insert into notes (id) values (${Id})`);
        return { outcome: 'done' };
      },
    });
    const kept: Kind = {
      ...lab,
      procedures: [...lab.procedures, labLeave],
      upkeep: [
        {
          name: 'notes',
          async step(db) {
            const count = await db.run(sql`delete from notes`);
            if (count > 0) removed.resolve(count);
            return false;
          },
        },
      ],
    };
    const leave = (id: bigint) => client.rpc('lab_Leave', [{ type: bigint, value: id }]);

    before(async () => {
      server = await startServer({ engine, kinds: [kept] });
      client = await RawClient.login(server.port);
    });
    after(async () => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    test('begins as soon as a call has left it work', { timeout }, async () => {
      removed = Promise.withResolvers();
      assert.deepEqual(errors(await leave(1n)), []);
      assert.equal(await removed.promise, 1);
    });

    test('begins with the commit of the transaction that left it work', { timeout }, async () => {
      removed = Promise.withResolvers();
      await client.transaction({ kind: 'begin', isolation: 'unchanged', name: '' });
      assert.deepEqual(errors([...(await leave(2n)), ...(await leave(3n))]), []);
      await client.transaction({ kind: 'commit', name: '', thenBegin: undefined });
      assert.equal(await removed.promise, 2);
    });
  });
});
