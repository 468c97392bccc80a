import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { jsonLog } from '../../src/base/log/log.ts';
import { wireParams } from '../../src/client/call.ts';
import type { AnyProcedure, CallInput, Outcomes, Params, Procedure } from '../../src/procedure/declare.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { getJobStatus } from '../../src/protocols/translation/get-job-status.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { submitJob } from '../../src/protocols/translation/submit-job.ts';
import { updateConversionBatch } from '../../src/protocols/translation/update-conversion-batch.ts';
import type { Token } from '../../src/tds/token/index.ts';
import { batchUpdate, jobAdd } from '../conformance/jobs/documents.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { RawClient } from './support/raw-client.ts';
import { ending, only, rows } from './support/tokens.ts';

const family = 'translation/2010/11';
const [few, many] = [20_000, 200_000];
const worker = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

const documentOf = (items: number) =>
  jobAdd(
    family,
    Array.from({ length: items }, (_, ItemId) => ({ ItemId, InputFile: `${ItemId}.docx`, OutputFile: null })),
  ).replaceAll(' />', ' out=""/>');

const request = (procedure: AnyProcedure, input: Readonly<Record<string, unknown>>) => ({
  procedure: procedure.name,
  params: wireParams(procedure, input),
});

const call = <P extends Params, O extends Outcomes>(
  client: RawClient,
  procedure: Procedure<P, O>,
  input: CallInput<P>,
): Promise<Token[]> => {
  client.sendRpc([request(procedure, input)]);
  return client.tokens();
};

const newJob = async (client: RawClient, JobId: bigint) =>
  assert.equal(ending(await call(client, addJob, { JobId, UserToken: Buffer.of(1), Settings: '' })), 'doneProc 0');

const group = (JobXml: string) =>
  request(addGroup, { JobId: 1n, GroupId: 1, InputRoot: '', OutputRoot: '', MaxAttemptsCount: 3, JobXml });

/** How many items job 1 has. */
const total = async (client: RawClient) => rows(await call(client, getJobStatus, { JobId: 1n }))[0]?.[0];

/** Resolves when the next thread that reads documents has loaded, and so begins with its first one. */
function nextReader(): Promise<Worker> {
  return new Promise((resolve) => {
    process.on('worker', function look(thread: Worker) {
      if (thread.threadName !== 'reader-thread.ts') return;
      process.off('worker', look);
      thread.once('message', () => resolve(thread));
    });
  });
}

/** The thread that reads a document which was just sent; fails when it is answered without one. */
async function readerOf(reader: Promise<Worker>, answer: Promise<unknown>): Promise<Worker> {
  const thread = await Promise.race([reader, answer.then(() => undefined)]);
  return thread ?? assert.fail('the document was read on the event loop');
}

async function start(options: StartOptions): Promise<{ server: TestServer; client: RawClient; other: RawClient }> {
  const server = await startServer({ ...options, kinds: [translation] });
  const login = () => RawClient.login(server.port, { database: translation.firstDatabase, packetSize: 32_767 });
  const [client, other] = [await login(), await login()];
  await newJob(client, 1n);
  return { server, client, other };
}

forEngineOfRun((engine) => {
  describe('a large document', () => {
    test('keeps nobody waiting while it is read, not even those who write to the same database', async () => {
      const { server, client, other } = await start({ engine });
      await using _ = server;
      const events: string[] = [];
      const reader = nextReader();
      client.sendRpc([group(documentOf(many))]);
      const added = client.tokens().then((tokens) => events.push(ending(tokens)));
      const thread = await readerOf(reader, added);
      thread.once('message', () => events.push('read'));
      await newJob(other, 2n);
      events.push('another session wrote');
      assert.equal(await total(other), 0);
      events.push('another session read');
      await added;
      assert.deepEqual(events, ['another session wrote', 'another session read', 'read', 'doneProc 0']);
      assert.equal(await total(other), many);
    });

    test('may name as many items in an update, of which each is updated', async () => {
      const { server, client } = await start({ engine });
      await using _ = server;
      client.sendRpc([group(documentOf(few))]);
      assert.equal(ending(await client.tokens()), 'doneProc 0');
      await call(client, submitJob, { JobId: 1n });
      const items = Array.from({ length: few }, (_, ItemId) => ({ JobId: 1n, GroupId: 1, ItemId }));
      const half = few / 2 + 1;
      const started = items.map((item) => ({ ...item, Worker: worker }));
      const failed = items.slice(half).map((item) => ({ ...item, ErrorCode: 7 }));
      const tokens = await call(client, updateConversionBatch, { BatchXml: batchUpdate(family, started, failed) });
      assert.deepEqual(
        rows(tokens).map(([JobId, GroupId]) => [JobId, GroupId]),
        [[1n, 1]],
      );
      const [status = []] = rows(await call(client, getJobStatus, { JobId: 1n }));
      // Total, NotSubmitted, NotStarted, InProgress, Succeeded, Failed
      assert.deepEqual(status.slice(0, 6), [few, 0, 0, half, 0, few - half]);
    });

    test('that does not conform fails as a small one does, and leaves nothing', async () => {
      const { server, client, other } = await start({ engine });
      await using _ = server;
      const errorOf = async (document: string) => {
        client.sendRpc([group(document)]);
        const [error] = only(await client.tokens(), 'error');
        return [error?.number, error?.severity, error?.state, error?.text];
      };
      for (const wrong of [
        '<item id="1" in="" out="" more=""/></group>',
        '</grop>',
        '<item id="1" in="&b;" out=""/>',
      ]) {
        const [small, large] = [documentOf(0), documentOf(few)].map((right) => right.replace('</group>', wrong));
        const [expected, got] = [await errorOf(small ?? ''), await errorOf(large ?? '')];
        // Where in the line it is differs.
        assert.deepEqual(got.slice(0, 3), expected.slice(0, 3));
        assert.equal(String(got[3]).replace(/character \d+/, ''), String(expected[3]).replace(/character \d+/, ''));
      }
      assert.equal(await total(other), 0);
    });

    test('is given up at once when its call is cancelled', async () => {
      const { server, client, other } = await start({ engine });
      await using _ = server;
      const reader = nextReader();
      client.sendRpc([group(documentOf(many))]);
      const cancelled = client.tokens();
      const thread = await readerOf(reader, cancelled);
      let read = false;
      thread.once('message', () => {
        read = true;
      });
      const gone = once(thread, 'exit');
      client.attention();
      assert.equal(ending(await cancelled), 'done 0');
      assert.equal(ending(await client.tokens()), 'done 20');
      assert.equal(read, false);
      await gone;
      assert.equal(await total(other), 0);
      client.sendRpc([group(documentOf(few))]);
      assert.equal(ending(await client.tokens()), 'doneProc 0');
      assert.equal(await total(other), few);
    });

    test('is read for nobody when its client vanishes', async () => {
      const { server, client, other } = await start({ engine });
      await using _ = server;
      const reader = nextReader();
      client.sendRpc([group(documentOf(many))]);
      const gone = once(await reader, 'exit');
      client.vanish();
      await gone;
      assert.equal(await total(other), 0);
    });

    test('whose thread crashes fails and leaves nothing, and the next one is read by another', async () => {
      const lines: string[] = [];
      const { server, client } = await start({ engine, log: jsonLog((line) => lines.push(line), 'error') });
      await using _ = server;
      const reader = nextReader();
      client.sendRpc([group(documentOf(many))]);
      const failed = client.tokens();
      await (await readerOf(reader, failed)).terminate();
      const [error] = only(await failed, 'error');
      assert.equal(error?.number, 50000);
      assert.match(error?.text ?? '', /^@JobXml could not be read: the thread that reads large documents has ended/);
      assert.match(lines.join(), /a thread crashed.*reader-thread\.ts/);
      assert.equal(await total(client), 0);
      client.sendRpc([group(documentOf(few))]);
      assert.equal(ending(await client.tokens()), 'doneProc 0');
      assert.equal(await total(client), few);
    });

    test('that is read while the server stops is added and answered, and then the thread goes', async () => {
      const { server, client } = await start({ engine });
      await using _ = server;
      const reader = nextReader();
      client.sendRpc([group(documentOf(few))]);
      const added = client.tokens();
      const thread = await readerOf(reader, added);
      let gone = false;
      thread.once('exit', () => {
        gone = true;
      });
      const stopped = server.granary.stop();
      assert.equal(ending(await added), 'doneProc 0');
      assert.deepEqual(await client.lastWords(), []);
      await stopped;
      assert.ok(gone);
    });
  });
});
