import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { createEngine } from '../../src/create-engine.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { forEachEngine } from '../support/engines.ts';
import type { TestServer } from '../support/server.ts';
import { lab } from './support/lab.ts';
import { answers, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors } from './support/tokens.ts';
import { until } from './support/until.ts';

const put = (client: RawClient, id: bigint) =>
  client.rpc('lab_Put', [
    { type: bigint, value: id },
    { type: nvarchar('max'), value: 'note' },
  ]);
const select = (client: RawClient) => client.rpc('lab_Select', [{ type: int, value: 3 }]);

forEachEngine((engine) => {
  describe('a database that is dropped while a session is in it', () => {
    let server: TestServer;
    before(async () => {
      server = await startLab({ engine });
    });
    after(() => server[Symbol.asyncDispose]());

    async function inNew(name: string): Promise<RawClient> {
      await server.granary.engine.create(name, 'lab');
      const client = await RawClient.login(server.port, { database: name });
      assert.deepEqual(errors(await put(client, 1n)), []);
      assert.deepEqual(errors(await select(client)), []);
      return client;
    }

    /** Drops a database as `granary database drop` does beside a running server. */
    async function dropFromOutside(name: string): Promise<void> {
      await using outside = await createEngine(server.granary.settings, { kinds: [lab] });
      await outside.start();
      await outside.drop(name);
    }

    test('is 911 to its calls at once when this server dropped it, and the session goes on', async () => {
      await using client = await inNew('Second');
      await server.granary.engine.drop('Second');
      assert.deepEqual(errors(await put(client, 2n)), [911]);
      assert.deepEqual(errors(await select(client)), [911]);
      assert.deepEqual(errors(await client.batch('exec lab_Put 3, null')), [911]);
      assert.deepEqual(errors(await client.batch('use Lab')), []);
      await answers(client);
    });

    test('is 911 within a second when another process dropped it, and nothing is left of it', async () => {
      await using client = await inNew('Third');
      await dropFromOutside('Third');
      let id = 2n;
      await until('a write is 911', async () => errors(await put(client, id++))[0] === 911);
      assert.deepEqual(errors(await select(client)), [911]);
      if (engine === 'postgres') return;
      const files = await readdir(server.granary.settings.data);
      assert.deepEqual(
        files.filter((file) => file.startsWith('third')),
        [],
      );
    });

    test('is 911 once when it was made anew, and then the new one', async () => {
      await using client = await inNew('Fourth');
      await dropFromOutside('Fourth');
      await server.granary.engine.create('Fourth', 'lab');
      await until('a write is 911', async () => errors(await put(client, 2n))[0] === 911);
      assert.deepEqual(errors(await put(client, 1n)), []);
    });
  });
});
