import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLog } from '../../src/base/log.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { startServer } from '../support/server.ts';

test('a debug log has a line for every call: session, login, procedure, request and end, and no values', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = jsonLog((line) => lines.push(JSON.parse(line)), 'debug');
  await using server = await startServer({ kinds: [translation], log });
  const client = await server.connect('TranslationServices');
  const job = { JobId: 1n, UserToken: new Uint8Array([1]), Settings: '<settings>not to be seen</settings>' };
  await client.call(addJob, job);
  await assert.rejects(client.call(addJob, job), { number: 2627 });
  const calls = lines.filter(({ message }) => message === 'call');
  assert.equal(calls.length, 2);
  const [first, second] = calls;
  assert.equal(first?.['procedure'], 'proc_AddJob');
  assert.equal(first?.['login'], 'sa');
  assert.equal(first?.['database'], 'TranslationServices');
  assert.equal(first?.['status'], 0);
  assert.equal(typeof first?.['session'], 'number');
  assert.match(String(first?.['request']), /^[0-9a-f-]{36}$/);
  assert.notEqual(first?.['request'], second?.['request']);
  assert.equal(second?.['error'], 2627);
  assert.doesNotMatch(JSON.stringify(lines), /not to be seen|Correct-Horse/);
});
