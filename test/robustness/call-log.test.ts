import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLog } from '../../src/base/log/log.ts';
import { procedure } from '../../src/procedure/declare.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import type { ClientError, TestClient } from '../support/client.ts';
import { startServer } from '../support/server.ts';
import { lab } from './support/lab.ts';

/** A procedure with a fault of its own. */
const labFail = procedure({
  name: 'lab_Fail',
  section: 'test',
  summary: 'Fails in a way that nobody foresaw.',
  access: 'write',
  params: {},
  outcomes: { done: { code: 0, meaning: 'Never.' } },
  handle() {
    throw new TypeError('a fault');
  },
});

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

for (const [way, fail] of [
  ['RPC', (client: TestClient) => client.rpc('lab_Fail')],
  ['a batch', (client: TestClient) => client.batch('exec lab_Fail')],
] as const) {
  test(`a fault in a call by ${way} is logged with session, login, procedure and request, and told by its reference`, async () => {
    const lines: Record<string, unknown>[] = [];
    const log = jsonLog((line) => lines.push(JSON.parse(line)), 'warn');
    await using server = await startServer({ kinds: [{ ...lab, procedures: [...lab.procedures, labFail] }], log });
    const client = await server.connect('Lab');
    const told = await fail(client).then(
      () => assert.fail('the call did not fail'),
      (error: ClientError) => error,
    );
    assert.deepEqual([told.number, told.procName], [50000, 'lab_Fail']);
    const [line] = lines;
    assert.equal(lines.length, 1);
    assert.match(told.message, new RegExp(`reference ${line?.['reference']}\\.$`));
    const { level, login, procedure: name } = line ?? {};
    assert.deepEqual({ level, login, name }, { level: 'error', login: 'sa', name: 'lab_Fail' });
    assert.equal(typeof line?.['session'], 'number');
    assert.match(String(line?.['request']), /^[0-9a-f-]{36}$/);
  });
}
