import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import type { TestServer } from '../support/server.ts';
import { startLab } from './support/lab-server.ts';

describe('what a session was told to do', () => {
  let server: TestServer;
  before(async () => {
    server = await startLab();
  });
  after(() => server[Symbol.asyncDispose]());

  // SQL Server 2008, and TDS 7.3 with it, brought -1 for no limit.
  const told = { '7_1': 2_147_483_647, '7_2': 2_147_483_647, '7_3_A': -1, '7_4': -1 } as const;
  for (const tdsVersion of ['7_1', '7_2', '7_3_A', '7_4'] as const) {
    test(`SET TEXTSIZE -1 is read back as ${told[tdsVersion]}, TDS ${tdsVersion}`, async () => {
      await using client = await server.connect('Lab', { tdsVersion });
      await client.batch('set textsize -1');
      assert.deepEqual((await client.batch('select @@textsize as size')).sets, [[{ size: told[tdsVersion] }]]);
      await client.batch('set textsize 0');
      assert.deepEqual((await client.batch('select @@textsize as size')).sets, [[{ size: 4096 }]]);
    });
  }

  test('SET DATEFORMAT is heeded for text that an RPC sends for a date', async () => {
    await using client = await server.connect('Lab');
    await client.batch('create procedure #shown @d datetime as select @d as d');
    await client.batch('set dateformat dmy');
    const { sets } = await client.rpc('#shown', [{ name: 'd', type: TYPES.VarChar, value: '31/12/2024' }]);
    assert.deepEqual(sets, [[{ d: new Date('2024-12-31T00:00:00Z') }]]);
  });
});
