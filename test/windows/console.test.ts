import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { jsonLog } from '../../src/base/log/log.ts';
import { GssCalls } from '../../src/sspi/gss/gss-calls.ts';
import { windowsPackages } from '../clients/packages.ts';
import { missing, outputOf } from '../clients/run.ts';
import { launchAs, noBrowser } from '../console/chromium.ts';
import { startLab } from '../robustness/support/lab-server.ts';
import { until } from '../robustness/support/until.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import type { TestServer } from '../support/server.ts';
import { ticketFor } from './kerberos-client.ts';
import { NtlmClient, SpnegoNtlmClient } from './ntlm-client.ts';
import { noRealm, Realm } from './realm.ts';

const crawler = { domain: 'FARM', user: 'crawler', password: 'Secret-1' };
const negotiate = '/api/v1/session/negotiate';

/** What the server answered. */
interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly login?: string;
    readonly role?: string;
    readonly error?: { readonly number?: number; readonly message: string };
  };
}

/** Asks over a connection of an agent, with a token of a Windows user or without. */
async function ask(
  agent: Agent,
  server: TestServer,
  path: string,
  { method = 'POST', token, headers = {} }: { method?: string; token?: string; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const authorization = token === undefined ? {} : { authorization: token };
  const url = `http://${server.granary.httpAddress}${path}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, method, headers: { ...authorization, ...headers } }, resolve)
      .once('error', reject)
      .end();
  });
  return { status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(await text(response)) };
}

const negotiated = (bytes: Uint8Array, scheme = 'Negotiate') => `${scheme} ${Buffer.from(bytes).toString('base64')}`;

describe('Windows users of the console (RFC 4559)', { skip: noRealm() ?? false }, () => {
  let realm: Realm;
  let calls: GssCalls;
  let keytab: string;
  let server: TestServer;
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line), 'warn');
  before(async () => {
    realm = await Realm.start('GRANARY.TEST', ['alice', 'bob'], ['HTTP/localhost', 'MSSQLSvc/localhost']);
    Object.assign(process.env, realm.environment('alice'));
    await Promise.all([realm.kinit('alice'), realm.kinit('bob')]);
    keytab = await realm.joinedKeytab('HTTP', 'MSSQLSvc');
    calls = new GssCalls();
    server = await start();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await calls?.[Symbol.asyncDispose]();
    await realm?.[Symbol.asyncDispose]();
  });

  /** A server whose keytab has both services: CORP\Alice writes, bob has no login, and FARM\crawler is an account for NTLM. */
  async function start(options: Parameters<typeof startLab>[0] = {}): Promise<TestServer> {
    const realmDomains = new Map([['GRANARY.TEST', 'CORP']]);
    const ntlm = { ntlm: 'on', ntlmDomain: 'FARM' } as const;
    const settings = { httpPort: 0, kerberosKeytab: keytab, realmDomains, ...ntlm, ...options.settings };
    const server = await startLab({ ...options, log, settings });
    const { windows } = server.granary.accounts;
    await windows.create('CORP\\Alice', {}, { database: 'Lab', role: 'writer' });
    await windows.create('FARM\\crawler', { password: crawler.password }, { database: 'Lab', role: 'reader' });
    return server;
  }

  const at = (server: TestServer) => `http://localhost:${server.granary.httpAddress?.split(':').at(-1)}`;

  const ticket = async (user = 'alice', service = 'HTTP/localhost') =>
    negotiated((await ticketFor(calls, service, realm.environment(user))).first());

  forEngineOfRun((engine) => {
    test('curl --negotiate logs in with the ticket of its user, and gets the cookie of a session; a script may bring it with each request', {
      skip: missing(windowsPackages.curl) ?? false,
    }, async () => {
      await using server = await start({ engine });
      const curl = (...args: readonly string[]) =>
        outputOf(['curl', '--silent', '--negotiate', '-u', ':', ...args], realm.environment('alice'));
      const jar = join(realm.folder, 'cookies');
      const session = JSON.parse(await curl('-X', 'POST', '-c', jar, `${at(server)}${negotiate}`));
      assert.deepEqual([session.login, session.role], ['CORP\\Alice', 'writer']);
      const withCookie = ['curl', '--silent', '-b', jar, `${at(server)}/api/v1/session`];
      assert.equal(JSON.parse(await outputOf(withCookie, {})).csrf, session.csrf);
      const query =
        "select original_login(), cast(connectionproperty('auth_scheme') as nvarchar(40)); exec lab_Put 7, 'x'";
      const body = JSON.stringify({ database: 'Lab', text: query });
      const ran = JSON.parse(
        await curl('-H', 'content-type: application/json', '-d', body, `${at(server)}/api/v1/query`),
      );
      assert.deepEqual(ran.sets[0].rows, [['CORP\\Alice', 'KERBEROS']]);
      assert.match(ran.error.message, /EXECUTE permission was denied/); // the console's query only reads
    });
  });

  test('the page offers it, and a browser that trusts the address logs in by a click', {
    skip: noBrowser ?? false,
  }, async () => {
    await using browser = await launchAs(realm.environment('alice'), join(realm.folder, 'browser'));
    const page = await browser.newPage();
    await page.goto(`${at(server)}/console/sessions`);
    const button = page.getByRole('button', { name: 'Log in with Windows' });
    const name = page.getByRole('banner').getByText('CORP\\Alice');
    // A slow browser may not have loaded its library when it is asked for the second time.
    await until('it is logged in', async () => {
      if (await button.isEnabled()) await button.click();
      await name.or(page.getByRole('alert')).first().waitFor();
      return name.isVisible();
    });
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  });

  test('nobody is let in without a proof, and the reason is in the log only: no ticket, nobody’s login, garbage, a replay, a ticket of TDS', async () => {
    using agent = disposable(new Agent({ keepAlive: true }));
    const post = (token?: string) => ask(agent, server, negotiate, token === undefined ? {} : { token });
    const nothing = await post();
    assert.deepEqual([nothing.status, nothing.headers['www-authenticate']], [401, 'Negotiate']);
    lines.length = 0;
    const bob = await post(await ticket('bob'));
    assert.deepEqual([bob.status, bob.body.error?.number], [403, 18456]);
    assert.match(lines.join(''), /login refused.*there is no login for CORP\\\\bob/);
    const good = await ticket();
    const alice = await post(good);
    assert.equal(alice.body.login, 'CORP\\Alice');
    assert.match(alice.headers['set-cookie']?.[0] ?? '', /; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.match(alice.headers['www-authenticate'] ?? '', /^Negotiate ./, 'the server proves itself too');
    for (const [token, reason] of [
      [good, /replay/i],
      [await ticket('alice', 'MSSQLSvc/localhost'), /not found in keytab|No key|match/i],
      [negotiated(Buffer.from('garbage')), /no known mechanism/],
      [negotiated(Buffer.from(good.slice('Negotiate '.length), 'base64').fill(7, 300, 340)), /reason/],
    ] as const) {
      lines.length = 0;
      const { status, body, headers } = await post(token);
      assert.deepEqual([status, body.error?.number, headers['set-cookie']], [401, 18452, undefined]);
      assert.match(lines.join(''), reason);
      assert.match(body.error?.message ?? '', /^Login failed\. The login is from an untrusted domain/);
    }
  });

  test('a page is heard where it logs in and nowhere else: what other sites make a browser send proves nothing', async () => {
    using agent = disposable(new Agent({ keepAlive: true }));
    const { httpAddress } = server.granary;
    const elsewhere = { origin: 'http://elsewhere.example' };
    assert.equal((await ask(agent, server, negotiate, { token: await ticket(), headers: elsewhere })).status, 403);
    const sessions = '/api/v1/session';
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: `http://${httpAddress}` }, elsewhere]) {
      const { status, headers: answered } = await ask(agent, server, sessions, {
        method: 'GET',
        token: await ticket(),
        headers,
      });
      assert.deepEqual([status, answered['www-authenticate']], [401, undefined]);
    }
    const script = await ask(agent, server, sessions, { method: 'GET' });
    assert.deepEqual([script.status, script.headers['www-authenticate']], [401, 'Negotiate']);
    const known = await ask(agent, server, sessions, { method: 'GET', token: await ticket() });
    assert.deepEqual([known.status, known.body.login, known.headers['set-cookie']], [200, 'CORP\\Alice', undefined]);
  });

  test('NTLM proves an account in two steps over one connection, alone or inside of Negotiate; another connection begins anew', async () => {
    using agent = disposable(new Agent({ keepAlive: true, maxSockets: 1 }));
    for (const [client, scheme] of [
      [new NtlmClient(crawler), 'NTLM'],
      [new SpnegoNtlmClient(crawler), 'Negotiate'],
    ] as const) {
      const first = await ask(agent, server, negotiate, { token: negotiated(client.first(), scheme) });
      assert.equal(first.status, 401);
      const [said, challenge = ''] = (first.headers['www-authenticate'] ?? '').split(' ');
      assert.equal(said, scheme);
      const second = client.second(Buffer.from(challenge, 'base64')) ?? Buffer.of();
      using other = disposable(new Agent());
      assert.equal((await ask(other, server, negotiate, { token: negotiated(second, scheme) })).status, 401);
      const { status, body } = await ask(agent, server, negotiate, { token: negotiated(second, scheme) });
      assert.deepEqual([status, body.login, body.role], [200, 'FARM\\crawler', 'reader']);
    }
  });

  test('curl --ntlm logs in; a wrong password is 18452', {
    skip: missing(windowsPackages.curl) ?? false,
  }, async () => {
    const curl = async (word: string) =>
      JSON.parse(
        await outputOf(
          ['curl', '--silent', '--ntlm', '-u', `FARM\\crawler:${word}`, '-X', 'POST', `${at(server)}${negotiate}`],
          {},
        ),
      );
    assert.equal((await curl(crawler.password)).login, 'FARM\\crawler');
    assert.equal((await curl('wrong')).error.number, 18452);
  });

  test('a session ends with the login that its user came in through', async () => {
    using agent = disposable(new Agent({ keepAlive: true }));
    const { headers } = await ask(agent, server, negotiate, { token: await ticket() });
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const session = () => ask(agent, server, '/api/v1/session', { method: 'GET', headers: { cookie } });
    assert.equal((await session()).body.login, 'CORP\\Alice');
    await server.granary.accounts.drop('CORP\\Alice');
    assert.equal((await session()).status, 401);
  });

  test('where the keytab has no key of HTTP nothing is offered, and a ticket is 18452', async () => {
    await using strict = await start({ settings: { ntlm: 'off', kerberosKeytab: realm.keytab('MSSQLSvc') } });
    using agent = disposable(new Agent());
    const { body } = await ask(agent, strict, '/api/v1/session/ways', { method: 'GET' });
    assert.deepEqual(body, { windows: false });
    const { status, headers, body: why } = await ask(agent, strict, negotiate, { token: await ticket() });
    assert.deepEqual([status, headers['www-authenticate'], why.error?.number], [401, undefined, 18452]);
    const script = await ask(agent, strict, '/api/v1/session', { method: 'GET' });
    assert.equal(script.headers['www-authenticate'], undefined);
  });
});

const disposable = (agent: Agent): Agent & Disposable =>
  Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
