import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { int } from '../../src/tds/types/index.ts';
import type { TestServer } from '../support/server.ts';
import { startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors, rows } from './support/tokens.ts';

describe('SET TEXTSIZE', () => {
  let server: TestServer;
  before(async () => {
    server = await startLab();
  });
  after(() => server[Symbol.asyncDispose]());

  test('a text column is described as long as it may be, and cut there', async () => {
    await using client = await RawClient.login(server.port);
    await client.batch('set textsize 4096');
    client.sendBatch("select convert(text, replicate(convert(varchar(max), 'x'), 5000)) as t");
    const payload = await client.payload();
    assert.ok(payload?.includes(Buffer.from('2300100000', 'hex')), 'COLMETADATA tells 4096');
    const { length } = String(rows(await client.batch('select replicate(convert(varchar(max), 0x79), 5000)'))[0]?.[0]);
    assert.equal(length, 4096);
  });

  test('the results of a procedure are cut too, those that stream as well', async () => {
    await using client = await RawClient.login(server.port);
    await client.batch('set textsize 100000');
    const tokens = await client.rpc('lab_Image', [{ name: '@Megabytes', type: int, value: 1 }]);
    assert.deepEqual(errors(tokens), []);
    const body = rows(tokens)[0]?.[0];
    assert.ok(body instanceof Uint8Array);
    assert.equal(body.length, 100_000);
    await client.batch('set textsize -1');
    const whole = rows(await client.rpc('lab_Image', [{ name: '@Megabytes', type: int, value: 1 }]))[0]?.[0];
    assert.ok(whole instanceof Uint8Array);
    assert.equal(whole.length, 1024 * 1024);
  });

  test('what INSERT … EXEC keeps is not cut', async () => {
    await using client = await RawClient.login(server.port);
    const text = "exec('select replicate(convert(varchar(max), ''x''), 5000)')";
    const tokens = await client.batch(
      `set textsize 10; create table #t (x varchar(max)); insert #t ${text}; select len(x) from #t`,
    );
    assert.deepEqual(rows(tokens), [[5000n]]);
  });
});
