import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { bigint, nvarchar } from '../../src/tds/types/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { arrival, departure, open } from './support/gate.ts';
import { servesOn, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { ending, errors, only } from './support/tokens.ts';

const put = (id: bigint, gate?: string) => ({
  procedure: 'lab_Put',
  params: [
    { name: '@Id', type: bigint, value: id },
    { name: '@Note', type: nvarchar('max'), value: 'a note' },
    ...(gate === undefined ? [] : [{ name: '@Gate', type: nvarchar(50), value: gate }]),
  ],
});

forEachEngine((engine) => {
  describe('a server that is stopped', () => {
    test('finishes calls in flight, commits and answers them, and then closes', async () => {
      await using server = await startLab({ engine });
      await using writer = await RawClient.login(server.port);
      await using waiter = await RawClient.login(server.port);
      await using idle = await RawClient.login(server.port);
      await using early = await RawClient.connect(server.port);
      const [first, second] = [randomUUID(), randomUUID()];
      writer.sendRpc([put(1n, first)]);
      waiter.sendRpc([{ procedure: 'lab_Wait', params: [{ type: nvarchar(50), value: second }] }]);
      await Promise.all([arrival(first), arrival(second)]);
      const stopped = server.granary.stop();
      assert.deepEqual(await idle.lastWords(), [], 'who asks for nothing is sent away at once');
      assert.deepEqual(await early.lastWords(), []);
      await assert.rejects(RawClient.login(server.port), 'nobody new is let in');
      open(first);
      const written = await writer.tokens();
      assert.equal(ending(written), 'doneProc 0');
      open(second);
      assert.equal(ending(await waiter.tokens()), 'doneProc 0');
      assert.deepEqual(await writer.lastWords(), []);
      assert.deepEqual(await waiter.lastWords(), []);
      await stopped;
      assert.equal(await departure(second), 'passed');
    });

    test('waits for nobody who is kept waiting for a wrong password, and lets nobody in any more', async () => {
      await using server = await startLab({ engine });
      // The last of so many is held back for eight seconds.
      const guessers = await Promise.all(Array.from({ length: 12 }, () => RawClient.connect(server.port)));
      await using _all = new AsyncDisposableStack();
      for (const guesser of guessers) _all.use(guesser);
      await Promise.all(guessers.map((guesser) => guesser.prelogin()));
      const answered = guessers.map((guesser) => guesser.logIn({ password: 'guess' }).catch(() => undefined));
      // Those whose failures cost nothing are told at once; then all have been checked, or soon are.
      await Promise.race(answered);
      const began = performance.now();
      await server.granary.stop();
      const took = performance.now() - began;
      assert.ok(took < 6000, `the stop took ${Math.round(took)} ms`);
      const told = (await Promise.all(answered)).map((tokens) => tokens && errors(tokens));
      assert.ok(told.includes(undefined), 'who was held back is cut off');
    });

    test('answers the requests that it had received whole, and no later ones', async () => {
      await using server = await startLab({ engine });
      await using client = await RawClient.login(server.port);
      const gate = randomUUID();
      client.sendRpc([put(1n, gate)]);
      client.sendRpc([put(2n)]);
      await arrival(gate);
      const stopped = server.granary.stop();
      client.sendRpc([put(3n)]);
      open(gate);
      assert.equal(ending(await client.tokens()), 'doneProc 0');
      const rest = await client.lastWords();
      await stopped;
      // What was still on its way is not promised; what was answered must have been kept.
      assert.ok(only(rest, 'doneProc').length <= 2);
      assert.deepEqual(errors(rest), []);
    });

    test('ends transactions that clients have left open, and those who wait for their locks get them', async () => {
      await using server = await startLab({ engine });
      await using holder = await RawClient.login(server.port);
      await using waiter = await RawClient.login(server.port);
      await holder.transaction({ kind: 'begin', isolation: 'unchanged', name: '' });
      holder.sendRpc([put(5n)]);
      assert.equal(ending(await holder.tokens()), 'doneProc 4');
      waiter.sendRpc([put(5n)]);
      await servesOn(server); // a turn for the other to come to the lock
      const stopped = server.granary.stop();
      assert.equal(ending(await waiter.tokens()), 'doneProc 0');
      assert.deepEqual(await holder.lastWords(), []);
      await stopped;
    });
  });
});
