import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { jsonLog } from '../../src/base/log.ts';
import { GssCalls } from '../../src/sspi/gss/gss-calls.ts';
import { servesOn, startLab } from '../robustness/support/lab-server.ts';
import { errors, only, rows } from '../robustness/support/tokens.ts';
import type { TestServer } from '../support/server.ts';
import { ticketFor } from './kerberos-client.ts';
import { freePort, noRealm, Realm } from './realm.ts';
import { type Initiator, sspiConnect } from './sspi-login.ts';

const skip = noRealm() ?? false;

describe('Kerberos', { skip }, () => {
  let realm: Realm;
  let server: TestServer;
  let calls: GssCalls;
  let service = '';
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line), 'warn');

  before(async () => {
    const port = await freePort();
    service = `MSSQLSvc/localhost:${port}`;
    realm = await Realm.start('GRANARY.TEST', ['alice', 'bob'], [service, 'HTTP/localhost']);
    Object.assign(process.env, realm.environment('alice'));
    calls = new GssCalls();
    const settings = { port, kerberosKeytab: realm.keytab(), realmDomains: new Map([['granary.test', 'CORP']]) };
    server = await startLab({ log, settings });
    await server.granary.accounts.windows.create('CORP\\Alice', {}, { database: 'Lab', role: 'writer' });
    await realm.kinit('alice');
    await realm.kinit('bob');
  });
  after(async () => {
    await calls?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await realm?.[Symbol.asyncDispose]();
  });

  async function outcome(initiator: Initiator): Promise<unknown> {
    await using connected = await sspiConnect(server.port, initiator);
    const { client, tokens } = connected;
    if (only(tokens, 'loginAck').length === 0) return errors(tokens);
    const facts = `select suser_sname(), (select auth_scheme from sys.dm_exec_connections where session_id = @@spid)`;
    return rows(await client.batch(facts))[0];
  }

  test('a ticket lets its user in, under the name that the login was created with', async () => {
    assert.deepEqual(await outcome(await ticketFor(calls, service, realm.environment('alice'))), [
      'CORP\\Alice',
      'KERBEROS',
    ]);
  });

  test('a good ticket without a login is 18456', async () => {
    lines.length = 0;
    assert.deepEqual(await outcome(await ticketFor(calls, service, realm.environment('bob'))), [18456]);
    assert.match(lines.join(''), /there is no login for CORP\\\\bob/);
  });

  test('a token that is sent again is refused', async () => {
    lines.length = 0;
    const initiator = await ticketFor(calls, service, realm.environment('alice'));
    assert.deepEqual(await outcome(initiator), ['CORP\\Alice', 'KERBEROS']);
    assert.deepEqual(await outcome(initiator), [18452]);
    assert.match(lines.join(''), /replay/i);
    await servesOn(server);
  });
});
