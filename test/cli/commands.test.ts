import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { password, startServer } from '../support/server.ts';
import { granary, temporaryFolder } from './granary.ts';
import { canLogIn, loginErrors, query } from './login.ts';
import { leftData, runHere, serveHere } from './run-here.ts';

const secret = (GRANARY_PASSWORD: string) => ({ GRANARY_PASSWORD });

describe('granary database and granary login', () => {
  test('databases are made, listed and dropped beside a running server', async () => {
    await using server = await startServer();
    const data = ['--data', server.granary.settings.data];
    const made = await granary(['database', 'create', 'Second', '--kind', 'translation', ...data]);
    assert.deepEqual(made, { code: 0, stdout: 'Database Second of kind translation created.\n', stderr: '' });
    assert.equal(await query(server.port, 'sa', password, 'select db_name()', 'Second'), 'Second');
    const listed = await runHere(['database', 'list', ...data]);
    assert.match(listed.stdout, /^name +kind +created\n/);
    assert.match(listed.stdout, /^Second +translation +\d{4}-/m);
    assert.match(listed.stdout, /^TranslationServices +translation /m);
    const again = await runHere(['database', 'create', 'SECOND', '--kind', 'translation', ...data]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /Database 'SECOND' already exists/);
    assert.equal((await granary(['database', 'drop', 'second', ...data])).code, 0);
    assert.deepEqual(await loginErrors(server.port, 'sa', password, 'Second'), [4060, 18456]);
    const gone = await runHere(['database', 'drop', 'Second', ...data]);
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /^granary: Cannot drop the database 'Second'/);
  });

  test('logins are made, given roles, changed and dropped beside a running server', async () => {
    await using server = await startServer();
    const data = ['--data', server.granary.settings.data];
    const grant = ['--database', 'translationservices', '--role', 'reader'];
    const made = await runHere(['login', 'create', 'farm', ...grant, ...data], secret('first'));
    assert.deepEqual([made.code, made.stderr], [0, '']);
    assert.equal(await canLogIn(server.port, 'farm', 'first', 'TranslationServices'), true);
    assert.match((await runHere(['login', 'list', ...data])).stdout, /^farm +\S+ +reader on TranslationServices$/m);
    assert.equal((await runHere(['login', 'password', 'farm', ...data], {}, undefined, 'second\n')).code, 0);
    assert.equal(await canLogIn(server.port, 'farm', 'first', 'TranslationServices'), false);
    assert.equal(await canLogIn(server.port, 'farm', 'second', 'TranslationServices'), true);
    await runHere(['login', 'grant', 'farm', '--database', '*', '--role', 'writer', ...data]);
    assert.match((await runHere(['login', 'list', ...data])).stdout, /writer on \*, reader on TranslationServices/);
    await runHere(['login', 'revoke', 'farm', '--database', '*', ...data]);
    const revoked = await runHere(['login', 'revoke', 'farm', '--database', 'TranslationServices', ...data]);
    assert.match(revoked.stdout, /no longer has a role on TranslationServices/);
    assert.equal((await runHere(['login', 'drop', 'farm', ...data])).code, 0);
    assert.equal(await canLogIn(server.port, 'farm', 'second'), false);
  });

  test('Windows users and groups are made logins without a password', async () => {
    await using folder = await temporaryFolder();
    const data = ['--data', folder.path];
    const user = await runHere(['login', 'create', 'CORP\\alice', '--windows', '--role', 'reader', ...data]);
    assert.deepEqual([user.code, user.stdout], [0, 'Login CORP\\alice created: reader on *.\n']);
    const sid = 'S-1-5-21-1004336348-1177238915-682003330-1104';
    assert.equal((await runHere(['login', 'create', 'CORP\\Farmers', '--windows', '--sid', sid, ...data])).code, 0);
    const held = await runHere(['login', 'create', 'FARM\\crawler', '--windows', '--ntlm', ...data], secret('held'));
    assert.equal(held.code, 0);
    const { stdout } = await runHere(['login', 'list', ...data]);
    assert.match(stdout, /^CORP\\alice +\S+ +reader on \* +user$/m);
    assert.match(stdout, new RegExp(`^CORP\\\\Farmers +\\S+ +group ${sid}$`, 'm'));
    assert.equal((await runHere(['login', 'password', 'CORP\\alice', ...data], secret('x'))).code, 1);
    assert.equal((await runHere(['login', 'create', 'farm', '--sid', sid, ...data], secret('x'))).code, 2);
  });

  test('they work before the first start too, which keeps what they made', async () => {
    await using folder = await temporaryFolder();
    const data = ['--data', `${folder.path}/new`];
    assert.equal((await runHere(['database', 'create', 'Mine', '--kind', 'translation', ...data])).code, 0);
    assert.equal((await stat(`${folder.path}/new`)).mode & 0o777, 0o700);
    const made = await runHere(
      ['login', 'create', 'farm', '--database', 'Mine', '--role', 'writer', ...data],
      secret('y'),
    );
    assert.equal(made.code, 0);
    await using server = await serveHere(data, { GRANARY_SA_PASSWORD: 'x' });
    assert.equal(await query(server.port, 'farm', 'y', 'select db_name()', 'Mine'), 'Mine');
  });

  test('a database of another kind under the name of a first one is left alone, and the server starts', async () => {
    await using folder = await temporaryFolder();
    const data = ['--data', folder.path];
    assert.equal((await runHere(['database', 'create', 'search_admin', '--kind', 'config', ...data])).code, 0);
    await using server = await serveHere(data, { GRANARY_SA_PASSWORD: 'x' });
    const kind = "select cast(databasepropertyex('Search_Admin', 'GranaryKind') as nvarchar(20))";
    assert.equal(await query(server.port, 'sa', 'x', kind, 'WSS_Search'), 'config');
  });

  test('a database that was dropped stays dropped at the next start', async () => {
    await using data = await leftData();
    await runHere(['database', 'drop', 'TranslationServices', ...data.flags]);
    await using next = await serveHere(data.flags);
    await next.end();
    assert.doesNotMatch((await runHere(['database', 'list', ...data.flags])).stdout, /TranslationServices/);
  });

  const refused: readonly [string, readonly string[], RegExp][] = [
    [
      'a role on a database that is not there',
      ['login', 'create', 'a', '--database', 'No', '--role', 'reader'],
      /'No' does not exist/,
    ],
    ['a login name that is none', ['login', 'create', 'DOMAIN\\user'], /not a valid login name/],
    ['a password of a login that is not there', ['login', 'password', 'nobody'], /login 'nobody'/],
    ['dropping sa', ['login', 'drop', 'sa'], /login 'sa'/],
  ];
  for (const [what, args, message] of refused) {
    test(`${what} is refused with a message and exit code 1`, async () => {
      await using folder = await temporaryFolder();
      const data = ['--data', folder.path];
      assert.equal((await runHere(['login', 'create', 'first', ...data], secret('x'))).code, 0);
      const { code, stderr } = await runHere([...args, ...data], secret('x'));
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, / {4}at /);
    });
  }

  test('without a password nothing is made', async () => {
    await using folder = await temporaryFolder();
    const { code, stderr } = await runHere(['login', 'create', 'farm', '--data', folder.path]);
    assert.equal(code, 2);
    assert.match(stderr, /A password is required: in GRANARY_PASSWORD/);
  });

  test('a folder without data is told, not made', async () => {
    await using folder = await temporaryFolder();
    const { code, stderr } = await runHere(['database', 'list', '--data', `${folder.path}/typo`]);
    assert.equal(code, 1);
    assert.match(stderr, /There is no data in .*typo/);
    const elsewhere = await runHere(['login', 'list', '--data', folder.path]);
    assert.deepEqual([elsewhere.code, await readdir(folder.path)], [1, []]);
  });
});
