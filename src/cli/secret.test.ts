import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { readPassword } from './secret.ts';

/** A terminal on which somebody types; what it shows is in `shown`. */
function terminal(...typed: readonly string[]) {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const stderr = new PassThrough();
  const answers = [...typed];
  let shown = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (text.endsWith(': ')) stdin.write(answers.shift() ?? '');
  });
  const world = {
    environment: {},
    stdin,
    stdout: new PassThrough(),
    stderr,
    ending: () => AbortSignal.abort(),
    onHangUp: () => {},
  };
  return { world, raw, shown: () => shown };
}

describe('readPassword', () => {
  test('the environment goes before everything else', async () => {
    const { world } = terminal();
    assert.equal(await readPassword('farm', { ...world, environment: { GRANARY_PASSWORD: 'given' } }), 'given');
  });

  test('a pipe is read to its end, without the last line break', async () => {
    const { world } = terminal();
    const piped = (text: string) => ({ ...world, stdin: new PassThrough().end(text) });
    assert.equal(await readPassword('farm', piped('two words\r\n')), 'two words');
    await assert.rejects(readPassword('farm', piped('')), /A password is required/);
  });

  test('what is typed is asked for twice, is not shown, and may be corrected', async () => {
    const { world, raw, shown } = terminal('secrex\u007ft\r', 'secret\n');
    assert.equal(await readPassword('farm', world), 'secret');
    assert.equal(shown(), 'New password for farm: \nRepeat the password: \n');
    assert.deepEqual(raw, [true, false, true, false]);
  });

  test('two different answers change nothing', async () => {
    const { world } = terminal('one\r', 'other\r');
    await assert.rejects(readPassword('farm', world), /The two passwords differ/);
  });

  test('Ctrl+C leaves the terminal as it was', async () => {
    const { world, raw } = terminal('sec\u0003');
    await assert.rejects(readPassword('farm', world), /Interrupted/);
    assert.deepEqual(raw, [true, false]);
  });
});
