import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { overview } from '../../src/console/api/overview.ts';
import { runQuery } from '../../src/console/api/query.ts';
import { logIn, logInWithWindows, logOut, waysToLogIn, whoAmI } from '../../src/console/api/session.ts';
import { forEachEngine } from '../support/engines.ts';
import { password, startServer } from '../support/server.ts';
import { ConsoleCaller, consoleAt } from './console-caller.ts';

const settings = { httpPort: 0 };

describe('the console’s sessions', () => {
  forEachEngine((engine) => {
    test('the logins of TDS open the console; a wrong password, and no session, do not', async () => {
      await using server = await startServer({ engine, kinds: [], settings });
      const caller = await ConsoleCaller.logIn(server);
      assert.deepEqual(await caller.call(whoAmI, {}).then(({ login, role }) => ({ login, role })), {
        login: 'sa',
        role: 'admin',
      });
      const stranger = new ConsoleCaller(consoleAt(server));
      const wrong = await stranger.refused(logIn, { login: 'sa', password: 'wrong' });
      assert.deepEqual([wrong.status, wrong.error.message], [401, "Login failed for user 'sa'."]);
      assert.equal((await stranger.refused(overview, {})).status, 401);
      assert.deepEqual(await stranger.call(waysToLogIn, {}), { windows: false });
      assert.equal((await stranger.refused(logInWithWindows, {})).error.number, 18452);
      await caller.call(logOut, {});
      assert.equal((await caller.refused(overview, {})).status, 401);
    });

    test('a session ends an hour after its last request, and half a day after its login at the latest', async () => {
      const clock = new ManualClock();
      await using server = await startServer({ engine, kinds: [], settings, clock });
      const hour = 3_600_000;
      const idle = await ConsoleCaller.logIn(server);
      clock.advance(hour - 1);
      await idle.call(whoAmI, {});
      clock.advance(hour);
      assert.equal((await idle.refused(whoAmI, {})).status, 401);
      const busy = await ConsoleCaller.logIn(server);
      for (let half = 0; half < 23; half++) {
        clock.advance(hour / 2);
        await busy.call(whoAmI, {});
      }
      clock.advance(hour / 2);
      assert.equal((await busy.refused(whoAmI, {})).status, 401);
    });

    test('scripts cannot read the cookie, other sites do not send it, and what changes needs the token and the origin', async () => {
      await using server = await startServer({ engine, kinds: [], settings });
      const at = consoleAt(server);
      const login = await fetch(`${at}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login: 'sa', password }),
      });
      assert.match(login.headers.get('set-cookie') ?? '', /; Path=\/; HttpOnly; SameSite=Strict$/);
      const caller = await ConsoleCaller.logIn(server);
      const token = caller.csrf;
      caller.csrf = 'guessed';
      assert.equal((await caller.refused(logOut, {})).status, 403);
      caller.csrf = token;
      for (const headers of [{ origin: 'http://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        caller.headers = headers;
        assert.equal((await caller.refused(logOut, {})).status, 403);
        assert.equal((await caller.refused(logIn, { login: 'sa', password })).status, 403);
      }
      caller.headers = { origin: at };
      assert.deepEqual(await caller.call(logOut, {}), { ended: true });
    });

    test('a script brings its password with each request; so may a Windows user whose password is kept here; a login that was dropped has no session any more', async () => {
      await using server = await startServer({ engine, kinds: [], settings });
      const script = new ConsoleCaller(consoleAt(server));
      script.headers = { authorization: `Basic ${btoa(`sa:${password}`)}` };
      assert.equal((await script.call(overview, {})).verdict, 'All is well.');
      script.headers = { authorization: `Basic ${btoa('sa:wrong')}` };
      assert.equal((await script.refused(overview, {})).status, 401);
      const { accounts } = server.granary;
      const everywhere = { database: '*', role: 'writer' } as const;
      await accounts.windows.create('CONTOSO\\alice', { password: 'Alice-Horse-7' }, everywhere);
      const alice = await ConsoleCaller.logIn(server, 'contoso\\alice', 'Alice-Horse-7');
      const { login: named, role } = await alice.call(whoAmI, {});
      assert.deepEqual([named, role], ['CONTOSO\\alice', 'writer']);
      const { sets } = await alice.call(runQuery, { database: 'master', text: 'select suser_sname()' });
      assert.deepEqual(sets[0]?.rows, [['CONTOSO\\alice']]);
      assert.equal((await script.refused(logIn, { login: 'CONTOSO\\alice', password: 'wrong' })).status, 401);
      await server.granary.accounts.create('visitor', 'Visit-Horse-7');
      const visitor = await ConsoleCaller.logIn(server, 'visitor', 'Visit-Horse-7');
      // Who has no role is told so, and may look at the server all the same.
      assert.equal((await visitor.call(whoAmI, {})).role, 'none');
      assert.equal((await visitor.call(overview, {})).verdict, 'All is well.');
      await server.granary.accounts.grant('visitor', { database: '*', role: 'reader' });
      assert.equal((await visitor.call(whoAmI, {})).role, 'reader');
      await server.granary.accounts.grant('visitor', { database: '*', role: 'writer' });
      assert.equal((await visitor.call(whoAmI, {})).role, 'writer');
      await server.granary.accounts.drop('visitor');
      assert.equal((await visitor.refused(whoAmI, {})).status, 401);
    });

    test('a password that must be changed lets one in only together with a new one (18488)', async () => {
      await using server = await startServer({ engine, kinds: [], settings });
      await server.granary.accounts.create('fresh', 'First-Horse-7', undefined, true);
      const caller = new ConsoleCaller(consoleAt(server));
      const { error } = await caller.refused(logIn, { login: 'fresh', password: 'First-Horse-7' });
      assert.equal(error.number, 18488);
      const session = await caller.call(logIn, {
        login: 'fresh',
        password: 'First-Horse-7',
        newPassword: 'Second-Horse-7',
      });
      assert.equal(session.login, 'fresh');
      assert.equal((await caller.refused(logIn, { login: 'fresh', password: 'First-Horse-7' })).status, 401);
    });

    test('input that is not as declared is refused in words, before anything is done', async () => {
      await using server = await startServer({ engine, kinds: [], settings });
      const at = consoleAt(server);
      const post = (body: string, type = 'application/json') =>
        fetch(`${at}/api/v1/session`, { method: 'POST', headers: { 'content-type': type }, body });
      assert.equal((await post('{')).status, 400);
      assert.equal((await post('{}', 'text/plain')).status, 415);
      assert.deepEqual(await (await post('{"login":"sa"}')).json(), {
        error: { message: 'body.password must be a text.' },
      });
      assert.deepEqual(await (await post('{"login":"sa","password":"x","more":1}')).json(), {
        error: { message: 'body.more must be left out: nothing has that name.' },
      });
      assert.equal((await post(`"${'x'.repeat(5_000_000)}"`)).status, 413);
      assert.equal((await fetch(`${at}/api/v1/nothing`)).status, 404);
      // RFC 9110 15.5.6: what is answered is said in Allow; the description of the interface has one method as well.
      for (const [path, method, allow] of [
        ['overview', 'POST', 'GET, HEAD'],
        ['session', 'PUT', 'POST, GET, HEAD, DELETE'],
        ['openapi.json', 'POST', 'GET, HEAD'],
      ] as const) {
        const { status, headers } = await fetch(`${at}/api/v1/${path}`, { method });
        assert.deepEqual([status, headers.get('allow')], [405, allow], path);
      }
      assert.equal((await fetch(`${at}/api/v1/%zz`)).status, 404);
    });
  });
});
