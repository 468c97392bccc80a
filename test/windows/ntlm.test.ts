import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { after, before, describe, type TestContext, test } from 'node:test';
import { jsonLog } from '../../src/base/log/log.ts';
import { mechanisms } from '../../src/sspi/spnego.ts';
import { servesOn, startLab } from '../robustness/support/lab-server.ts';
import { errors, only, rows } from '../robustness/support/tokens.ts';
import { TestClient } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { NtlmClient, type NtlmClientOptions, SpnegoNtlmClient } from './ntlm-client.ts';
import { type Initiator, sspiConnect } from './sspi-login.ts';

const account: NtlmClientOptions = { domain: 'FARM', user: 'crawler', password: 'Secret-1' };
const lines: string[] = [];
const log = jsonLog((line) => lines.push(line), 'warn');

async function startFarm(settings: Parameters<typeof startLab>[0] = {}): Promise<TestServer> {
  const server = await startLab({ log, settings: { ntlm: 'on', ntlmDomain: 'FARM', ...settings.settings } });
  await server.granary.accounts.windows.create('FARM\\Crawler', account, { database: 'Lab', role: 'writer' });
  return server;
}

/** The errors of a login, or the name that it has. */
async function outcome(server: TestServer, initiator: Initiator, host?: string): Promise<unknown> {
  await using connected = await sspiConnect(server.port, initiator, host);
  const { client, tokens } = connected;
  if (only(tokens, 'loginAck').length === 0) return errors(tokens);
  return rows(await client.batch('select suser_sname()'))[0]?.[0];
}

describe('NTLM', () => {
  let server: TestServer;
  before(async () => {
    server = await startFarm();
  });
  after(() => server[Symbol.asyncDispose]());

  test('an account that Granary holds logs in by NTLMv2, whatever the case of its name, and is shown by it', async () => {
    assert.equal(await outcome(server, new NtlmClient(account)), 'FARM\\Crawler');
    assert.equal(await outcome(server, new NtlmClient({ ...account, domain: '', user: 'CRAWLER' })), 'FARM\\Crawler');
  });

  test('inside SPNEGO too, as the favourite or as what is left', async () => {
    assert.equal(await outcome(server, new SpnegoNtlmClient(account)), 'FARM\\Crawler');
    assert.equal(await outcome(server, new SpnegoNtlmClient(account, mechanisms.kerberos)), 'FARM\\Crawler');
  });

  const refused: readonly [string, Initiator, RegExp][] = [
    ['a wrong password', new NtlmClient({ ...account, password: 'wrong' }), /wrong password/],
    ['an account that is not there', new NtlmClient({ ...account, user: 'nobody' }), /no account/],
    ['NTLMv1', new NtlmClient({ ...account, response: 'NTLMv1' }), /NTLMv1/],
    ['anonymous', new NtlmClient({ ...account, user: '' }), /anonymous/],
    ['a MIC that does not match', new NtlmClient({ ...account, badMic: true }), /MIC/],
    ['Kerberos where it is not configured', { first: krb5, second: () => undefined }, /KERBEROS is not configured/],
    ['nothing at all', { first: () => Buffer.of(0), second: () => undefined }, /no known mechanism/],
  ];
  for (const [what, initiator, reason] of refused) {
    test(`${what} is 18452, and the reason is in the log only`, async () => {
      lines.length = 0;
      assert.deepEqual(await outcome(server, initiator), [18452]);
      assert.match(lines.join(''), reason);
      await servesOn(server);
    });
  }

  test('a login without a role on the database is refused as one with a password is (916)', async () => {
    await server.granary.accounts.windows.create('FARM\\poor', { password: 'x' });
    const poor = new NtlmClient({ domain: 'FARM', user: 'poor', password: 'x' });
    assert.deepEqual(await outcome(server, poor), [916]);
  });

  test('off loopback the whole connection must be encrypted (17835)', async (t: TestContext) => {
    const address = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
    if (address === undefined) return t.skip('this machine has loopback addresses only');
    await using open = await startFarm({ settings: { host: '0.0.0.0', encryption: 'optional' } });
    assert.deepEqual(await outcome(open, new NtlmClient(account), address), [17835]);
    const options = { ...open.config('Lab', { encrypt: true }), server: address };
    const authentication = {
      type: 'ntlm',
      options: { userName: 'crawler', domain: 'FARM', password: 'Secret-1' },
    } as const;
    await using client = await TestClient.open({ ...options, authentication });
    assert.deepEqual((await client.batch('select original_login() as who')).sets, [[{ who: 'FARM\\Crawler' }]]);
  });

  test('extended protection: a service that is another, or none where one is required, is refused', async () => {
    await using strict = await startFarm({ settings: { extendedProtection: 'required' } });
    const meaning = (service: string) => new NtlmClient({ ...account, service });
    assert.equal(await outcome(strict, meaning(`MSSQLSvc/localhost:${strict.port}`)), 'FARM\\Crawler');
    assert.deepEqual(await outcome(strict, meaning('MSSQLSvc/elsewhere:1433')), [18452]);
    assert.deepEqual(await outcome(strict, new NtlmClient(account)), [18452]);
  });
});

function krb5(): Buffer {
  return Buffer.concat([Buffer.of(0x60, mechanisms.kerberos.length + 2), mechanisms.kerberos, Buffer.of(1, 0)]);
}
