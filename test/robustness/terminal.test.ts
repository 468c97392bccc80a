import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../cli/run-here.ts';
import { startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

/** What a terminal obeys, a line that is none, and text that is shown from right to left. */
const orders = '\u001b]0;owned\u0007\u009b2J\r\n  Problems:\u2028\u202eexe';

test('names that clients choose neither give orders to the terminal of an operator nor forge lines', async () => {
  await using server = await startLab({ settings: { httpPort: 0 } });
  await using holder = await RawClient.login(server.port, { appName: orders, hostName: orders });
  await using waiting = await RawClient.login(server.port);
  await using looking = await RawClient.login(server.port);
  const lock = `exec sp_getapplock N'${orders}', 'Exclusive', 'Session'`;
  assert.deepEqual(errors(await holder.batch(lock)), []);
  waiting.sendBatch(lock);
  await until(
    'it waits',
    async () =>
      rows(await looking.batch('select * from sys.dm_exec_requests where blocking_session_id <> 0')).length > 0,
  );
  for (const flags of [[], ['--json']]) {
    const { stdout, stderr } = await runHere(['status', '--data', server.granary.settings.data, ...flags]);
    const said = stdout + stderr;
    assert.ok(said.includes('owned'), said);
    assert.doesNotMatch(said.replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    assert.doesNotMatch(said, /^ {2}Problems:/m);
  }
});
