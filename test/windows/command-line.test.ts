import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { silentLog } from '../../src/base/log/log.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { granary, listening, temporaryFolder } from '../cli/granary.ts';
import { runHere } from '../cli/run-here.ts';
import { startServer } from '../support/server.ts';
import { freePort, noRealm, Realm } from './realm.ts';

describe('the command line with a ticket of Kerberos', { skip: noRealm() ?? false }, () => {
  test("`granary login create 'CORP\\alice' --windows` lets alice in, and `--windows` logs a command in as alice", async () => {
    const port = await freePort();
    await using realm = await Realm.start('GRANARY.TEST', ['alice'], [`MSSQLSvc/localhost:${port}`]);
    Object.assign(process.env, realm.environment('alice'));
    await realm.kinit('alice');
    const settings = {
      port,
      kerberosKeytab: realm.keytab(),
      realmDomains: new Map([['granary.test', 'CORP']]),
    };
    await using server = await startServer({ kinds: [searchAdmin], settings, log: silentLog });
    const { data, tlsCert = '' } = server.granary.settings;
    const status = () => runHere(['crawl', 'status', '--server', `localhost:${port}`, '--windows', '--ca', tlsCert]);
    const stranger = await status();
    assert.deepEqual([stranger.code, stranger.stderr], [1, "granary: Login failed for user 'CORP\\alice'.\n"]);

    const made = await runHere(['login', 'create', 'CORP\\alice', '--windows', '--role', 'reader', '--data', data]);
    assert.deepEqual([made.code, made.stdout], [0, 'Login CORP\\alice created: reader on *.\n']);
    assert.deepEqual(await status(), { code: 0, stdout: 'Nothing to show.\n', stderr: '' });

    assert.equal((await runHere(['login', 'drop', 'corp\\ALICE', '--data', data])).code, 0);
    assert.equal((await status()).code, 1);
  });
});

test('a start without the library for Kerberos ends in one line that names it, and makes nothing', {
  skip: process.platform !== 'linux' && 'the library is hidden in the way of Linux',
}, async () => {
  await using folder = await temporaryFolder();
  const [data, keytab] = [join(folder.path, 'data'), join(folder.path, 'keytab')];
  for (const name of ['keytab', 'libgssapi_krb5.so.2', 'libgssapi_krb5.so'])
    await writeFile(join(folder.path, name), 'nothing that can be loaded');
  const { code, stdout, stderr } = await granary(
    ['serve', ...listening(['--data', data, '--kerberos-keytab', keytab])],
    { environment: { LD_LIBRARY_PATH: folder.path } },
  );
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^granary: [^\n]*libgssapi_krb5\.so\.2 cannot be loaded[^\n]*\n$/);
});
