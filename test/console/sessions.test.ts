import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from '../../src/client/client.ts';
import {
  createLogin,
  dropLogin,
  endSession,
  grantRole,
  listLogins,
  listSessions,
  revokeRole,
  setPassword,
} from '../../src/console/api/sessions.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';

const start = { kinds: [translation], settings: { httpPort: 0 } };

describe('sessions and logins in the console', () => {
  forEachEngine((engine) => {
    test('who is connected is listed with what it waits for; ending a session cuts it off', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const holder = await server.connect('TranslationServices', { appName: 'holder' });
      const waiter = await server.connect('TranslationServices', { appName: 'waiter' });
      const lock = "sp_getapplock 'the lock', 'Exclusive', 'Session'";
      await holder.batch(`exec ${lock}`);
      const waiting = waiter.batch(`exec ${lock}`).catch(() => 'cut off');
      const waits = async () =>
        (await caller.call(listSessions, {})).sessions.find(({ program }) => program === 'waiter')?.waitsFor;
      await until('the waiter waits', async () => Boolean(await waits()));
      const { sessions } = await caller.call(listSessions, {});
      const held = sessions.find(({ program }) => program === 'holder');
      assert.equal((await waits())?.session, held?.session);
      assert.match((await waits())?.resource ?? '', /the lock/);
      const since = ({ program, since: at }: (typeof sessions)[number]) =>
        `${program} ${at !== null && Math.abs(Date.now() - Date.parse(at)) < 3_600_000}`;
      assert.deepEqual(
        sessions
          .map(since)
          .filter((text) => /er /.test(text))
          .sort(),
        ['holder false', 'waiter true'],
      );
      const ended = sessions.find(({ program }) => program === 'waiter')?.session ?? 0;
      assert.deepEqual(await caller.call(endSession, { session: ended }), { ended: true });
      assert.equal(await waiting, 'cut off');
      assert.equal((await caller.refused(endSession, { session: 30_000 })).error.number, 6106);
    });

    test('an admin makes a login, gives it a role and a password, and drops it, one in use where its sessions are to end first: TDS knows each of it', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const name = "o'hara]";
      await caller.call(createLogin, { name, password: 'First-Horse-7' });
      const taken = await caller.refused(createLogin, { name, password: 'First-Horse-7' });
      assert.equal(taken.error.number, 15025);
      await caller.call(grantRole, { login: name, database: 'TranslationServices', role: 'writer' });
      const { logins } = await caller.call(listLogins, {});
      assert.deepEqual(logins.find((login) => login.name === name)?.roles, [
        { database: 'TranslationServices', role: 'writer' },
      ]);
      await caller.call(setPassword, { login: name, password: 'Second-Horse-7' });
      const { accounts } = server.granary;
      assert.equal(await accounts.verify(name, 'First-Horse-7', ''), undefined);
      assert.equal((await accounts.verify(name, 'Second-Horse-7', ''))?.login, name);
      await caller.call(revokeRole, { login: name, database: 'TranslationServices' });
      assert.equal(await accounts.roleOn(name, 'TranslationServices'), undefined);
      await caller.call(dropLogin, { login: name });
      assert.equal(await accounts.verify(name, 'Second-Horse-7', ''), undefined);
      await dropsInUse(server, caller);
    });

    test('who is no admin sees the own sessions and login only, changes the own password by the old one, and nothing else', async () => {
      await using server = await startServer({ ...start, engine });
      await server.granary.accounts.create('visitor', 'Visit-Horse-7', { database: '*', role: 'writer' });
      await server.connect('TranslationServices');
      const visitor = await ConsoleCaller.logIn(server, 'visitor', 'Visit-Horse-7');
      await using _own = await Client.connect({ server: server.granary, database: 'master', login: 'visitor' });
      const { sessions } = await visitor.call(listSessions, {});
      assert.deepEqual(
        sessions.map(({ login, database, command }) => [login, database, command]),
        [['visitor', 'master', null]],
      );
      const { logins } = await visitor.call(listLogins, {});
      assert.deepEqual(
        logins.map(({ name }) => name),
        ['visitor'],
      );
      const change = { login: 'visitor', password: 'Other-Horse-7', mustChange: false };
      assert.equal((await visitor.refused(setPassword, change)).status, 403);
      const wrong = await visitor.refused(setPassword, { ...change, oldPassword: 'wrong' });
      assert.deepEqual(
        [wrong.status, wrong.error],
        [403, { message: 'The old password is not right.', number: 15151 }],
      );
      assert.equal((await visitor.refused(setPassword, { ...change, login: 'sa' })).status, 403);
      await visitor.call(setPassword, { ...change, oldPassword: 'Visit-Horse-7' });
      for (const route of [endSession, dropLogin, grantRole, revokeRole, createLogin]) {
        const input = {
          session: 51,
          login: 'sa',
          database: '*',
          role: 'admin',
          name: 'x',
          password: 'x',
          mustChange: false,
        };
        assert.equal((await visitor.send(route, input)).status, 403, route.path);
      }
    });
  });
});

/** A login whose sessions and console are open is dropped where they are to end first, and not otherwise. */
async function dropsInUse(server: TestServer, caller: ConsoleCaller): Promise<void> {
  const { accounts } = server.granary;
  await accounts.create('Leaver', 'First-Horse-7', { database: '*', role: 'admin' });
  await using client = await Client.connect({ server: server.granary, database: 'master', login: 'Leaver' });
  const running = client.query("waitfor delay '01:00:00'").catch(() => 'cut off');
  const leaver = await ConsoleCaller.logIn(server, 'Leaver', 'First-Horse-7');
  await leaver.call(listSessions, {});
  const used = await caller.refused(dropLogin, { login: 'leaver' });
  assert.deepEqual([used.status, used.error.number], [422, 15434]);
  const own = await leaver.refused(dropLogin, { login: 'leaver', endSessions: true });
  assert.deepEqual(own, { status: 422, error: { message: 'You are logged in so yourself.', number: 15434 } });
  assert.deepEqual(await caller.call(dropLogin, { login: 'leaver', endSessions: true }), { dropped: true });
  assert.equal(await running, 'cut off');
  assert.equal((await leaver.refused(listSessions, {})).status, 401);
  assert.equal(await accounts.verify('Leaver', 'First-Horse-7', ''), undefined);
}
