import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allCommands } from '../../src/cli/commands.ts';
import { declarationOf, environmentOf, flagOf, settingKeys } from '../../src/cli/settings.ts';
import { granary } from './granary.ts';
import { runHere } from './run-here.ts';

describe('granary', () => {
  test('--help tells every command and every setting', async () => {
    const { code, stdout, stderr } = await granary(['--help']);
    assert.deepEqual([code, stderr], [0, '']);
    for (const { name } of await allCommands()) assert.ok(stdout.includes(`granary ${name}`), name);
    for (const key of settingKeys) {
      const shown = declarationOf(key).secret ? environmentOf(key) : `--${flagOf(key)}`;
      assert.ok(stdout.includes(shown), shown);
    }
    assert.match(stdout, /reader +may call procedures that only read/);
    assert.match(stdout, /granary database create NAME --kind KIND\n/);
    assert.match(stdout, /granary login create NAME +Creates a login/);
    assert.match(stdout, /error 916.*error 229/s);
  });

  test('alone says the same as --help', async () => {
    assert.deepEqual(await runHere([]), await runHere(['--help']));
  });

  test('the exit code of a process tells what was wrong', async () => {
    assert.equal((await granary(['serve', '--port', 'x'])).code, 2);
  });

  test('COMMAND --help tells the command and its flags', async () => {
    const { code, stdout } = await runHere(['database', 'create', '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /granary database create NAME --kind KIND/);
    assert.match(stdout, /--data DIR/);
    assert.doesNotMatch(stdout, /--port/);
    const login = await runHere(['login', 'create', '--help']);
    assert.match(login.stdout, /granary login create NAME \[--database NAME\] \[--role reader\|writer\|admin\]/);
  });

  test('help COMMAND says the same as COMMAND --help', async () => {
    for (const name of [['serve'], ['login', 'create']]) {
      assert.deepEqual(await runHere(['help', ...name]), await runHere([...name, '--help']));
    }
    assert.equal((await runHere(['help', 'nothing'])).code, 2);
  });

  test('version tells the version', async () => {
    assert.match((await runHere(['version'])).stdout, /^granary \d+\.\d+\.\d+ /);
  });

  const wrong: readonly [string, readonly string[], RegExp][] = [
    ['an unknown command', ['serv'], /There is no command 'serv'\. Did you mean serve\?/],
    ['an unknown flag', ['serve', '--prot', '1'], /Unknown flag --prot\. Did you mean --port\?/],
    ['a flag of another command', ['database', 'list', '--port', '1'], /Unknown flag --port\./],
    ['a flag without its value', ['serve', '--port'], /--port needs a value/],
    ['a flag that swallows another', ['serve', '--port', '--data', 'x'], /--port needs a value/],
    ['a flag given twice', ['serve', '--port', '1', '--port', '2'], /--port is given twice/],
    ['a value that is none', ['serve', '--port', 'http'], /--port: the value 'http' must be a whole number/],
    ['a password on the command line', ['serve', '--sa-password', 'x'], /Unknown flag --sa-password/],
    ['half a command', ['database'], /requires one of: create, list, drop/],
    ['a missing argument', ['database', 'drop'], /Usage: granary database drop NAME/],
    ['an argument too many', ['database', 'drop', 'a', 'b'], /Usage/],
    ['a missing flag', ['database', 'create', 'X'], /Usage: granary database create NAME --kind KIND/],
    ['an unknown kind', ['database', 'create', 'X', '--kind', 'access'], /There is no kind 'access'/],
    ['an unknown role', ['login', 'create', 'x', '--role', 'owner'], /There is no role 'owner'/],
    ['a database without a role', ['login', 'create', 'x', '--database', 'X'], /--database needs --role/],
    ['an unknown config file', ['serve', '--config', 'nowhere.json'], /nowhere\.json cannot be read/],
  ];
  for (const [what, args, message] of wrong) {
    test(`${what} is refused with a message and exit code 2`, async () => {
      const { code, stdout, stderr } = await runHere(args);
      assert.equal(code, 2);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, / {4}at /);
      assert.equal(stdout, '');
    });
  }
});
