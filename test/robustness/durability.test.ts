import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wireParams } from '../../src/client/call.ts';
import { Client } from '../../src/client/client.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { type RunningServer, serve } from '../cli/granary.ts';
import { type EngineName, forEachEngine } from '../support/engines.ts';
import { newPlace, password } from '../support/server.ts';
import { RawClient } from './support/raw-client.ts';
import { ending } from './support/tokens.ts';

const database = 'TranslationServices';
const job = (JobId: bigint) => ({ JobId, UserToken: Buffer.of(1), Settings: 'as they are' });

/** A place for the data of several servers, one after another. */
async function servedPlace(engine: EngineName) {
  const place = await newPlace({ engine });
  const args = ['--data', place.data, '--log-level', 'error'];
  return {
    start: () => serve(args, { environment: { GRANARY_SA_PASSWORD: password, GRANARY_ENGINE: place.engine } }),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

const connect = ({ port }: RunningServer) =>
  Client.connect({ host: '127.0.0.1', port, user: 'sa', password, database, encryption: 'off' });

/**
 * Adds jobs over several connections until the server is gone, and calls `enough` when so many were acknowledged; returns
 * the ones that were.
 */
async function addUntilGone(server: RunningServer, count: number, enough: () => void): Promise<Set<bigint>> {
  const acknowledged = new Set<bigint>();
  let last = 0n;
  const addWith = async (client: Client) => {
    for (;;) {
      const id = ++last;
      try {
        const { outcome } = await client.call(addJob, job(id));
        assert.equal(outcome, 'added');
      } catch (error) {
        assert.match(
          String(error),
          /closed the connection|ECONNRESET|EPIPE|there is no connection/,
          `${error}\n${server.output().stderr}`,
        );
        return;
      }
      acknowledged.add(id);
      if (acknowledged.size === count) enough();
    }
  };
  // All of them are connected before the first adds: who has not come yet when enough were added would be refused.
  await using connections = new AsyncDisposableStack();
  const clients = await Promise.all(Array.from({ length: 16 }, async () => connections.use(await connect(server))));
  await Promise.all(clients.map(addWith));
  return acknowledged;
}

async function keptJobs(server: RunningServer): Promise<Set<bigint>> {
  await using client = await connect(server);
  const { sets } = await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false });
  return new Set(sets.ResultSet0.map(({ JobId }) => JobId));
}

/** Leaves a transaction open that has added a job. */
async function leaveOpen({ port }: RunningServer, id: bigint): Promise<RawClient> {
  const client = await RawClient.login(port, { database });
  await client.transaction({ kind: 'begin', isolation: 'unchanged', name: '' });
  assert.equal(ending(await client.rpc(addJob.name, wireParams(addJob, job(id)))), 'doneProc 4');
  return client;
}

/** Leaves a transaction open while the server ends, and fails unless nothing of it is there after a restart. */
async function openAtTheEnd(
  server: RunningServer,
  start: () => Promise<RunningServer>,
  signal: 'SIGKILL' | 'SIGTERM',
  kept: ReadonlySet<bigint>,
): Promise<void> {
  await using _ = await leaveOpen(server, 1_000_000n);
  assert.equal(await server.end(signal), signal === 'SIGKILL' ? null : 0);
  await using next = await start();
  assert.deepEqual(await keptJobs(next), kept);
  await using client = await connect(next);
  assert.equal((await client.call(addJob, job(1_000_000n))).outcome, 'added');
}

forEachEngine((engine) => {
  describe('calls over TDS', () => {
    test('that were acknowledged before kill -9 are all there after a restart, those of an open transaction are not', async () => {
      await using place = await servedPlace(engine);
      await using server = await place.start();
      const acknowledged = await addUntilGone(server, 500, () => void server.end('SIGKILL'));
      assert.ok(acknowledged.size >= 500);
      await using next = await place.start();
      const kept = await keptJobs(next);
      assert.deepEqual([...acknowledged.difference(kept)], []);
      await openAtTheEnd(next, place.start, 'SIGKILL', kept);
    });

    test('SIGTERM: every call in flight is answered and kept, no other is kept, an open transaction is undone, and the exit code is 0', async () => {
      await using place = await servedPlace(engine);
      await using server = await place.start();
      let exit: Promise<number | null> | undefined;
      const acknowledged = await addUntilGone(server, 300, () => {
        exit = server.end('SIGTERM');
      });
      assert.equal(await exit, 0);
      assert.equal(server.output().stderr, '');
      await using next = await place.start();
      assert.deepEqual(await keptJobs(next), acknowledged);
      await openAtTheEnd(next, place.start, 'SIGTERM', acknowledged);
    });
  });
});
