import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { defaultCost } from '../../src/accounts/password.ts';
import { systemClock } from '../../src/base/clock.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { password, type TestServer } from '../support/server.ts';
import { Innocent } from './support/innocent.ts';
import { startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors } from './support/tokens.ts';
import { until } from './support/until.ts';

/** A guess costs an eighth of what it costs outside of tests: who stands in line waits for those before. */
const cost = { ...defaultCost, N: defaultCost.N / 8 };

/** A login whose password the server has never checked: another process made it. */
async function makeUnseen(server: TestServer, name: string): Promise<void> {
  const accounts = new Accounts(server.granary.engine.system, { clock: systemClock, cost });
  await accounts.create(name, password, { database: 'Lab', role: 'reader' });
}

/** Guesses over and over, so many at once, until disposed of. */
function guessers(port: number, count: number, name: (guess: number) => string): AsyncDisposable {
  let stopped = false;
  let guesses = 0;
  const open = new Set<RawClient>();
  const guess = async () => {
    while (!stopped) {
      const client = await RawClient.connect(port);
      open.add(client);
      await client.prelogin();
      await client.logIn({ userName: name(guesses++), password: `guess ${guesses}` });
      await client[Symbol.asyncDispose]();
      open.delete(client);
    }
  };
  const ended = Promise.allSettled(Array.from({ length: count }, guess));
  return {
    async [Symbol.asyncDispose]() {
      stopped = true;
      for (const client of open) client.socket.destroy();
      await ended;
    },
  };
}

async function logsIn(port: number, name: string): Promise<number> {
  const began = performance.now();
  await using client = await RawClient.connect(port);
  await client.prelogin();
  assert.deepEqual(errors(await client.logIn({ userName: name, password })), []);
  return performance.now() - began;
}

/** Until those who guess stand in line: all but those whose next try is on its way. */
const gathered = (server: TestServer, crowd: number) =>
  until('the guessers are there', () => server.granary.connections > crowd * 0.8);

forEngineOfRun((engine) => {
  test('the right password gets in beside 100 who guess that of the same login from the same address', async (t) => {
    await using server = await startLab({ engine, cost });
    await makeUnseen(server, 'target');
    await using innocent = await Innocent.start(server.port);
    await using _crowd = guessers(server.port, 100, () => 'target');
    await gathered(server, 100);
    const first = await logsIn(server.port, 'target');
    const again = await logsIn(server.port, 'target');
    const { longest } = await innocent.experience();
    t.diagnostic(
      `${first.toFixed(0)} ms, remembered ${again.toFixed(0)} ms; longest wait of a call ${longest.toFixed(0)} ms`,
    );
    assert.ok(first < 60_000, `the right password took ${first} ms`);
    assert.ok(again < 15_000, `a password that was right before took ${again} ms`);
    assert.ok(longest < 15_000, `a call took ${longest} ms`);
  });

  test('the right password gets in beside 400 who guess under invented names from the same address', async (t) => {
    await using server = await startLab({ engine, cost });
    await makeUnseen(server, 'target');
    await using _crowd = guessers(server.port, 400, (guess) => `nobody ${guess}`);
    await gathered(server, 400);
    const first = await logsIn(server.port, 'target');
    const again = await logsIn(server.port, 'target');
    t.diagnostic(`${first.toFixed(0)} ms, remembered ${again.toFixed(0)} ms`);
    assert.ok(first < 60_000, `the right password took ${first} ms`);
    assert.ok(again < 15_000, `a password that was right before took ${again} ms`);
  });
});
