import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { loginItself } from '../../src/base/vouched.ts';
import { overview } from '../../src/console/api/overview.ts';
import { logOut } from '../../src/console/api/session.ts';
import { listSessions } from '../../src/console/api/sessions.ts';
import { wireEvents } from '../../src/console/api/wire.ts';
import type { WatchedServer } from '../../src/console/console-server.ts';
import type { Caller } from '../../src/console/identify.ts';
import { Interface } from '../../src/console/interface.ts';
import { Live } from '../../src/console/live/live.ts';
import { Streams } from '../../src/console/live/streams.ts';
import { sessionListRoutes } from '../../src/console/routes/sessions.ts';
import { Visits } from '../../src/console/visits.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';
import { EventReader } from './event-reader.ts';

const start = { kinds: [translation], settings: { httpPort: 0 } };

/** Something to look at, and how often that was done. */
class Looked {
  value = 'one';
  looks = 0;
  readonly stop = new AbortController();
  readonly live = new Live(String);

  follow(last?: string) {
    const look = async () => {
      this.looks++;
      return this.value;
    };
    return this.live.follow('key', 1, look, last, this.stop.signal);
  }
}

describe('what is followed', () => {
  test('is looked at once for all who follow it, sent when it changes, and not looked at when nobody follows', async () => {
    const looked = new Looked();
    const [first, second] = [looked.follow(), looked.follow()];
    const [seen, alike] = [await first.next(), await second.next()];
    assert.equal(seen.value?.text, '"one"');
    assert.equal(seen.value, alike.value);
    const changed = [first.next(), second.next()];
    const { looks } = looked;
    await until('it was looked at again', () => looked.looks > looks + 2);
    looked.value = 'two';
    const [one, other] = await Promise.all(changed);
    assert.equal(one?.value?.text, '"two"');
    assert.equal(one?.value, other?.value);
    // Who comes back with what was seen last hears of the next change; who comes with something else, of what is.
    const third = looked.follow(one?.value?.id);
    const next = third.next();
    const fourth = looked.follow('elsewhere');
    assert.equal((await fourth.next()).value?.text, '"two"');
    looked.value = 'three';
    assert.equal((await next).value?.text, '"three"');
    looked.stop.abort();
    await Promise.all([first, second, third, fourth].map((each) => each.return(undefined)));
    const after = looked.looks;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(looked.looks <= after + 1, 'nobody looks any more');
  });

  test('what somebody asks for apart is shown to those who follow, and what an older look brings is not', async () => {
    const looked = new Looked();
    const followed = looked.follow();
    await followed.next();
    const [older, newer] = [looked.live.beside('key'), looked.live.beside('key')];
    looked.value = 'newer';
    newer?.('"newer"');
    older?.('"older"');
    assert.equal((await followed.next()).value?.text, '"newer"');
    assert.equal(looked.live.beside('nobody follows it'), undefined);
    looked.stop.abort();
    await followed.return(undefined);
  });

  test('users who came in through one group see each their own sessions', async () => {
    const users = ['CORP\\alice', 'CORP\\bob'];
    const connected = new Date();
    const sessions = users.map((login, at) => ({
      spid: 51 + at,
      login,
      host: '',
      program: '',
      address: '',
      database: 'master',
      connected,
      transactions: 0,
      encrypted: false,
    }));
    // What a list of sessions does not look at.
    const server = {
      accounts: { standing: async () => ({ strongest: 'reader', isAdministrator: false }) },
      ...{ clock: systemClock, log: silentLog, view: { sessions: () => sessions }, waits: async () => [] },
    } as unknown as WatchedServer;
    const visits = new Visits(server);
    const told = new Interface(server, visits, sessionListRoutes, new AbortController().signal);
    const http = createServer((request, response) => void told.handle(request, response, request.url ?? ''));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    await using readers = new AsyncDisposableStack();
    readers.defer(() => void http.close());
    for (const login of users) {
      const { key } = await visits.begin({ login, through: ['CORP\\staff'], authentication: 'KERBEROS' });
      const caller = new ConsoleCaller(`http://127.0.0.1:${port}`);
      caller.cookie = `granary_${port}=${key}`;
      const seen = await readers.use(await EventReader.open(caller, listSessions)).next();
      assert.deepEqual(
        seen.sessions.map((session) => session.login),
        [login],
      );
    }
  });

  test('a stream ends when the role of its login changes, which is looked up once for all of that login', async () => {
    const held: Record<string, 'reader' | 'writer'> = { sa: 'reader', other: 'reader' };
    const asked: string[] = [];
    const accounts = {
      standing: async ([name = '']: readonly string[]) => {
        asked.push(name);
        return { strongest: held[name], isAdministrator: false };
      },
    };
    const streams = new Streams({ accounts }, { find: () => undefined }, 1);
    const open = (login: string) =>
      streams.open(
        // What a stream does not look at.
        { who: loginItself(login), role: 'reader' } as Caller,
        new AbortController().signal,
      );
    using first = open('sa');
    using second = open('sa');
    using other = open('other');
    await until('they were doubted', () => asked.length >= 4);
    assert.deepEqual(asked.slice(0, 4), ['sa', 'other', 'sa', 'other']);
    assert.equal(first.signal.aborted, false);
    held['sa'] = 'writer';
    await until('both have ended', () => first.signal.aborted && second.signal.aborted);
    assert.equal(other.signal.aborted, false);
  });

  test('a few logins with many streams keep nobody from opening one: the oldest of who has most ends', () => {
    const accounts = { standing: async () => ({ strongest: 'reader' as const, isAdministrator: false }) };
    const streams = new Streams({ accounts }, { find: () => undefined });
    using open = new DisposableStack();
    const follow = (login: string) =>
      // What a stream does not look at.
      open.use(streams.open({ who: loginItself(login), role: 'reader' } as Caller, new AbortController().signal));
    const many = (login: string, count: number) => Array.from({ length: count }, () => follow(login));
    const [one, other, third] = [many('one', 64), many('other', 63), many('third', 33)];
    assert.throws(() => follow('one'), { status: 429 });
    const isOver = ({ signal }: { readonly signal: AbortSignal }) => signal.aborted;
    const admin = follow('sa');
    assert.deepEqual(one.filter(isOver), one.slice(0, 1));
    many('sa', 3);
    assert.deepEqual([one.filter(isOver).length, other.filter(isOver).length, third.filter(isOver).length], [3, 1, 0]);
    assert.ok(!isOver(admin));
    // Nobody takes from who has as few.
    many('sa', 36);
    const left = () => [one, other, third].map((each) => each.filter((stream) => !isOver(stream)).length);
    while (true) {
      const before = left();
      try {
        follow('sa');
      } catch (error) {
        assert.deepEqual((error as { status?: number }).status, 429);
        break;
      }
      assert.notDeepEqual(left(), before);
    }
    assert.ok(left().every((count) => count >= 33));
  });

  forEachEngine((engine) => {
    test('a page is told of changes by events, again from the last one on, until its session ends', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      await using events = await EventReader.open(caller, listSessions);
      const known = await events.next();
      await server.connect(translation.firstDatabase, { appName: 'who comes later' });
      const isThere = ({ sessions }: typeof known) => sessions.find(({ program }) => program === 'who comes later');
      // What somebody asks for apart is shown to all who follow.
      await caller.call(listSessions, {});
      assert.ok(await events.until(isThere));
      await using again = await EventReader.open(caller, listSessions, {}, 'another');
      assert.ok(isThere(await again.next()));
      await caller.call(logOut, {});
      await assert.rejects(
        events.until(() => undefined),
        /ended/,
      );
    });

    test('a call that fails is seen by who asks for failures, however many others there are; the overview lists batches and names that nobody has', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const client = await server.connect(translation.firstDatabase);
      await using failed = await EventReader.open(caller, wireEvents, { ended: 'failed' });
      await using slow = await EventReader.open(caller, wireEvents);
      for (let n = 0; n < 60; n++) await client.batch('declare @x int');
      await client.batch("raiserror('the only one', 16, 1)").catch(() => {});
      assert.ok(await failed.until(({ calls }) => calls.find(({ error }) => error?.message === 'the only one')));
      assert.ok(await slow.until(({ calls }) => calls[0]));
      await client.batch('exec proc_nobody_has').catch(() => {});
      await client.batch('exec proc_GetJobs @ActiveOnly = 1, @Nothing = 2').catch(() => {});
      const { refused } = await caller.call(overview, {});
      assert.deepEqual(
        refused.map(({ procedure, number }) => [procedure, number]),
        [
          ['proc_GetJobs', 8145],
          ['batch', 2812],
          ['batch', 50000],
        ],
      );
    });
  });
});
