import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import tls, { type TLSSocket } from 'node:tls';
import { silentLog } from '../../src/base/log/log.ts';
import { Client, type ClientOptions, kerberos } from '../../src/client/index.ts';
import { GssCalls } from '../../src/sspi/gss/gss-calls.ts';
import { nvarchar } from '../../src/tds/types/index.ts';
import { windowsPackages } from '../clients/packages.ts';
import { missing, outputOf } from '../clients/run.ts';
import { mutated } from '../fuzz/mutate.ts';
import { Random } from '../fuzz/random.ts';
import { servesOn, startLab } from '../robustness/support/lab-server.ts';
import { RawClient } from '../robustness/support/raw-client.ts';
import { errors, only, rows } from '../robustness/support/tokens.ts';
import { until } from '../robustness/support/until.ts';
import { sending, ticketFor } from './kerberos-client.ts';
import { type KerberosLab, startKerberosLab } from './kerberos-lab.ts';
import { NtlmClient, SpnegoNtlmClient } from './ntlm-client.ts';
import { noRealm, Realm } from './realm.ts';
import { type Initiator, sspiConnect, sspiLogin } from './sspi-login.ts';

const alice = ['CORP\\Alice', 'CORP\\Alice', 'KERBEROS', 'Alice'];

/** What a client that has been let in is told of itself; the numbers of the errors when it has not. */
async function outcome(port: number, initiator: Initiator): Promise<unknown> {
  await using connected = await sspiConnect(port, initiator);
  return await told(connected.client, connected.tokens);
}

async function told(client: RawClient, tokens: Awaited<ReturnType<typeof sspiLogin>>): Promise<unknown> {
  if (only(tokens, 'loginAck').length === 0) return errors(tokens);
  const facts = `select suser_sname(), original_login(), cast(connectionproperty('auth_scheme') as nvarchar(40)), nt_user_name
    from sys.dm_exec_sessions where session_id = @@spid`;
  return rows(await client.batch(facts))[0];
}

describe('Kerberos', { skip: noRealm() ?? false }, () => {
  let lab: KerberosLab;
  let calls: GssCalls;
  before(async () => {
    lab = await startKerberosLab();
    calls = new GssCalls();
  });
  after(async () => {
    await calls?.[Symbol.asyncDispose]();
    await lab?.[Symbol.asyncDispose]();
  });

  const ticket = (user = 'alice', service = lab.service, bindings?: Buffer): Promise<Initiator> =>
    ticketFor(calls, service, lab.realm.environment(user), bindings);

  test('a ticket lets its user in, under the name that the login was created with', async () => {
    assert.deepEqual(await outcome(lab.server.port, await ticket()), alice);
  });

  test('the server proves itself too: its token comes in the message of LOGINACK', async () => {
    Object.assign(process.env, lab.realm.environment('alice'));
    const context = calls.nextContext();
    const { reply } = await calls.run({ kind: 'initiate', context, service: lab.service });
    await using connected = await sspiConnect(lab.server.port, sending(Buffer.from(reply)));
    const [sspi] = only(connected.tokens, 'sspi');
    assert.equal(only(connected.tokens, 'loginAck').length, 1);
    const token = sspi?.data ?? new Uint8Array(0);
    assert.equal((await calls.run({ kind: 'initiate', context, service: lab.service, token })).isDone, true);
    calls.close(context);
  });

  test('a good ticket without a login is 18456, and the log tells whose it is', async () => {
    lab.lines.length = 0;
    assert.deepEqual(await outcome(lab.server.port, await ticket('bob')), [18456]);
    assert.match(lab.lines.join(''), /there is no login for CORP\\\\bob/);
  });

  test('a token that is sent again is refused', async () => {
    lab.lines.length = 0;
    const initiator = await ticket();
    assert.deepEqual(await outcome(lab.server.port, initiator), alice);
    assert.deepEqual(await outcome(lab.server.port, initiator), [18452]);
    assert.match(lab.lines.join(''), /replay/i);
  });

  test('a ticket for another service is refused', async () => {
    lab.lines.length = 0;
    assert.deepEqual(await outcome(lab.server.port, await ticket('alice', 'HTTP/localhost')), [18452]);
    assert.match(lab.lines.join(''), /not found in keytab/);
  });

  test('with a service principal other keys of the keytab do not count', async () => {
    const settings = { kerberosKeytab: lab.realm.keytab(), servicePrincipal: lab.service };
    await using strict = await startLab({ settings, log: silentLog });
    await strict.granary.accounts.windows.create('GRANARY.TEST\\alice', {}, { database: 'Lab', role: 'reader' });
    assert.deepEqual(await outcome(strict.port, await ticket('alice', 'MSSQLSvc/localhost')), [18452]);
    const [name] = (await outcome(strict.port, await ticket())) as unknown[];
    assert.equal(name, 'GRANARY.TEST\\alice', 'a realm without a domain stands for itself');
  });

  test('a ticket of another realm, or one made with another key, is refused', async () => {
    for (const name of ['ELSEWHERE.TEST', 'GRANARY.TEST']) {
      await using other = await Realm.start(name, ['alice'], [lab.service]);
      await other.kinit('alice');
      // A thread of its own: the library keeps the realm that it was configured with.
      await using elsewhere = new GssCalls();
      const foreign = await ticketFor(elsewhere, lab.service, other.environment('alice'));
      Object.assign(process.env, lab.realm.environment('alice'));
      lab.lines.length = 0;
      assert.deepEqual(await outcome(lab.server.port, foreign), [18452], name);
      assert.match(lab.lines.join(''), /not found in keytab|decrypt|key version|integrity/i);
    }
  });

  test('an expired ticket and a skewed clock are refused', {
    skip: missing(windowsPackages.faketime) ?? false,
  }, async () => {
    for (const [clock, life, reason] of [
      ['-2h', ['-l', '10m'], /expired/i],
      ['-20m', [], /skew/i],
    ] as const) {
      await using off = await startKerberosLab({}, clock, life);
      const program = [
        process.execPath,
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'programs/token.ts'),
      ];
      const token = await outputOf(off.realm.atItsTime([...program, off.service]), off.realm.environment('alice'));
      assert.deepEqual(await outcome(off.server.port, sending(Buffer.from(token, 'base64'))), [18452]);
      assert.match(off.lines.join(''), reason);
      await servesOn(off.server);
    }
    Object.assign(process.env, lab.realm.environment('alice'));
  });

  test('a login that is dropped while connected loses its rights, and does not come in again', async () => {
    const { accounts } = lab.server.granary;
    await accounts.windows.create('CORP\\bob', {}, { database: 'Lab', role: 'writer' });
    await using connected = await sspiConnect(lab.server.port, await ticket('bob'));
    assert.deepEqual(errors(await connected.client.batch("exec lab_Echo 'x'")), []);
    await accounts.drop('corp\\BOB');
    await until('the session has heard of it', async () => {
      const numbers = errors(await connected.client.batch("exec lab_Echo 'x'"));
      return numbers.length === 1 && numbers[0] === 916;
    });
    assert.deepEqual(await outcome(lab.server.port, await ticket('bob')), [18456]);
  });

  test('extended protection: bindings of this channel let in, others and none do not', async () => {
    const settings = { kerberosKeytab: lab.realm.keytab(), extendedProtection: 'required' } as const;
    await using strict = await startLab({ settings, log: silentLog });
    await strict.granary.accounts.windows.create('GRANARY.TEST\\alice', {}, { database: 'Lab', role: 'reader' });
    const ca = readFileSync(strict.granary.settings.tlsCert ?? '', 'utf8');
    const newest = tls.DEFAULT_MAX_VERSION;
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      tls.DEFAULT_MAX_VERSION = version;
      const through = async (bindings: (socket: TLSSocket) => Buffer | undefined) => {
        await using client = await RawClient.strict(strict.port, ca);
        const bound = await ticket('alice', 'MSSQLSvc/localhost', bindings(client.socket as TLSSocket));
        return only(await sspiLogin(client, bound), 'loginAck').length === 1;
      };
      const endPoint = Buffer.concat([Buffer.from('tls-server-end-point:'), digestOf(ca)]);
      assert.equal(await through(() => endPoint), true, version);
      assert.equal(await through(() => Buffer.from('tls-server-end-point:another')), false, version);
      assert.equal(await through(() => undefined), false, version);
      const unique = (socket: TLSSocket) =>
        Buffer.concat([Buffer.from('tls-unique:'), socket.getFinished() ?? Buffer.of()]);
      assert.equal(await through(unique), version === 'TLSv1.2');
    }
    tls.DEFAULT_MAX_VERSION = newest;
  });

  test('the typed client logs in by Kerberos, tied to its channel, and checks who the server is', async () => {
    Object.assign(process.env, lab.realm.environment('alice'));
    await using windows = kerberos();
    const place = { host: 'localhost', port: lab.server.port, user: '', password: '', database: 'Lab', windows };
    const who = async (options: ClientOptions) => {
      await using client = Client.create(options);
      return await client.select({ name: nvarchar(128) }, 'select original_login() as name');
    };
    for (const encryption of ['off', 'login', 'full', 'strict'] as const) {
      const options = { ...place, encryption, trustServerCertificate: true };
      assert.deepEqual(await who(options), [{ name: 'CORP\\Alice' }], encryption);
    }
    await assert.rejects(who({ ...place, host: '127.0.0.1', encryption: 'off' }), /not found/);
  });

  test('a thousand garbage and mutated tokens are refused, and the server serves on', async () => {
    const random = new Random(20_261_116);
    const account = { domain: 'FARM', user: 'crawler', password: 'Secret-1' };
    const seeds = [(await ticket()).first(), new NtlmClient(account).first(), new SpnegoNtlmClient(account).first()];
    for (let round = 0; round < 20; round++) {
      const tries = Array.from({ length: 50 }, async () => {
        await using client = await RawClient.connect(lab.server.port);
        await client.prelogin();
        await sspiLogin(client, sending(mutated(random, random.pick(seeds)).subarray(0, 60_000)));
      });
      await Promise.all(tries);
    }
    assert.deepEqual(await outcome(lab.server.port, await ticket()), alice);
    await servesOn(lab.server);
  });

  test('a start without the keytab, or without a key of the service, says so', async () => {
    const start = (settings: object) => startLab({ settings, log: silentLog });
    await assert.rejects(start({ kerberosKeytab: '/nonexistent/keytab' }), /keytab/i);
    const other = { kerberosKeytab: lab.realm.keytab(), servicePrincipal: 'MSSQLSvc/elsewhere:1433' };
    await assert.rejects(start(other), /elsewhere|keytab/i);
  });
});

function digestOf(pem: string): Buffer {
  return Buffer.from(new X509Certificate(pem).fingerprint256.replaceAll(':', ''), 'hex');
}
