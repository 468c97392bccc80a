import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TYPES } from 'tedious';
import { jsonLog } from '../../src/base/log/log.ts';
import { Client } from '../../src/client/index.ts';
import { listSessions } from '../../src/console/api/sessions.ts';
import { wireEvents } from '../../src/console/api/wire.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';
import { EventReader } from './event-reader.ts';

const start = { kinds: [translation], settings: { httpPort: 0 } };

describe('the wire in the console', () => {
  forEachEngine((engine) => {
    test('a call is decoded by its declaration: parameters, shapes and counts of result sets, return code, section', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      await using events = await EventReader.open(caller, wireEvents, { procedure: 'GetJobs' });
      const client = await server.connect('TranslationServices', { appName: 'wire test' });
      await client.batch('exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 1');
      const call = await events.until(({ calls }) => calls.find(({ name }) => name === 'proc_GetJobs'));
      assert.deepEqual(
        [call.database, call.login, call.program, call.returned, call.error],
        ['TranslationServices', 'sa', 'wire test', 0, null],
      );
      assert.match(call.section ?? '', /^MS-TSSPROC 3\.1\./);
      assert.equal(call.link, 'https://learn.microsoft.com/openspecs/sharepoint_protocols/ms-tssproc/');
      assert.deepEqual(
        call.parameters.map(({ name, value }) => [name, value]),
        [
          ['@ActiveOnly', '0'],
          ['@SubmittedOnly', '1'],
        ],
      );
      assert.equal(call.sets.length, 1);
      assert.equal(call.sets[0]?.rows, 0);
      assert.ok(call.sets[0]?.columns.some(({ name, type }) => name === 'JobId' && type === 'bigint'));
    });

    test('a batch that its client cancels is shown as cancelled, not as done', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      await using events = await EventReader.open(caller, wireEvents);
      await using client = Client.create({ server: server.granary, database: 'TranslationServices' });
      const leaving = new AbortController();
      const running = client.query("waitfor delay '01:00:00'", {}, { signal: leaving.signal });
      await until('it runs', async () => {
        const { sessions } = await caller.call(listSessions, {});
        return sessions.some(({ isRunning }) => isRunning);
      });
      leaving.abort();
      await assert.rejects(running, { name: 'AbortError' });
      const call = await events.until(({ calls }) => calls.find(({ milliseconds }) => milliseconds > 0));
      assert.match(call.error?.message ?? '', /^Cancelled/);
    });

    test('a document that a batch hands to a procedure as a literal is hidden, as one that came by RPC', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      await using events = await EventReader.open(caller, wireEvents, { procedure: 'AddJob' });
      const client = await server.connect('TranslationServices');
      await client.batch("exec proc_AddJob @JobId = 1, @usertoken = 0x01, @SETTINGS = N'<s/>', @Name = N'name'");
      const { parameters } = await events.until(({ calls }) => calls.find(({ name }) => name === 'proc_AddJob'));
      assert.deepEqual(
        parameters.map(({ name, value, isHidden }) => [name, value, isHidden]),
        [
          ['@JobId', '1', false],
          ['@usertoken', '1 bytes', true],
          ['@SETTINGS', '4 characters', true],
          ['@Name', '4 characters', true],
        ],
      );
    });

    test('a table that a client passes is shown by how many rows it has', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      await using events = await EventReader.open(caller, wireEvents, { procedure: 'sp_executesql' });
      const client = await server.connect('tempdb');
      await client.batch('create type Numbers as table (n int)');
      const value = { name: 'Numbers', columns: [{ name: 'n', type: TYPES.Int }], rows: [[1], [2]] };
      await client.query('select * from @numbers', [{ name: 'numbers', type: TYPES.TVP, value }]);
      const { parameters } = await events.until(({ calls }) => calls.find(({ name }) => name === 'sp_executesql'));
      const { type, value: shown } = parameters.find(({ name }) => name === '@numbers') ?? {};
      assert.deepEqual([type, shown], ['Numbers', '2 rows']);
    });

    test('texts of T-SQL are hidden unless an admin asks, which is logged; nobody else may ask', async () => {
      const lines: string[] = [];
      await using server = await startServer({ ...start, engine, log: jsonLog((line) => lines.push(line)) });
      const client = await server.connect('TranslationServices');
      const caller = await ConsoleCaller.logIn(server);
      await using plain = await EventReader.open(caller, wireEvents);
      await client.batch("select 'a secret' as s");
      const hidden = await plain.until(({ calls }) => calls.find(({ name }) => name === 'batch'));
      assert.deepEqual(hidden.parameters, [
        { name: '@text', type: 'nvarchar(max)', value: '22 characters', isHidden: true, isOutput: false },
      ]);
      assert.ok(!lines.some((line) => line.includes('values of calls')));
      await using clear = await EventReader.open(caller, wireEvents, { values: 'true' });
      await client.batch("select 'another secret' as s");
      const shown = await clear.until(({ calls }) => calls.find(({ parameters: [text] }) => text?.isHidden === false));
      assert.equal(shown.parameters[0]?.value, "select 'another secret' as s");
      assert.ok(lines.some((line) => line.includes('the values of calls are shown') && line.includes('"login":"sa"')));
      assert.ok(!lines.some((line) => line.includes('another secret')));
      await server.granary.accounts.create('visitor', 'Visit-Horse-7', { database: '*', role: 'writer' });
      const visitor = await ConsoleCaller.logIn(server, 'visitor', 'Visit-Horse-7');
      assert.equal((await visitor.refused(wireEvents, { values: true })).status, 403);
    });

    test('who is no admin sees the calls of the own login; a stream is taken up behind the last event', async () => {
      await using server = await startServer({ ...start, engine });
      await server.granary.accounts.create('visitor', 'Visit-Horse-7', { database: '*', role: 'reader' });
      const [sa, visitor] = [
        await ConsoleCaller.logIn(server),
        await ConsoleCaller.logIn(server, 'visitor', 'Visit-Horse-7'),
      ];
      const client = await server.connect('TranslationServices');
      const all = await EventReader.open(sa, wireEvents);
      const own = await EventReader.open(visitor, wireEvents);
      await client.batch('select 1');
      const first = await all.until(({ calls }) => calls.at(-1));
      const { lastId } = all;
      await all[Symbol.asyncDispose]();
      await client.batch("raiserror(N'gone by', 16, 1)").catch(() => {});
      await using again = await EventReader.open(sa, wireEvents, {}, lastId);
      const missed = await again.next();
      assert.deepEqual(
        missed.calls.map(({ error }) => error?.message),
        ['gone by'],
      );
      assert.ok(missed.calls.every(({ id }) => id !== first.id));
      await using mine = Client.create({ server: server.granary, login: 'visitor', database: 'TranslationServices' });
      await mine.query('select 2');
      const seen = await own.next();
      assert.deepEqual(new Set(seen.calls.map(({ login }) => login)), new Set(['visitor']));
      await own[Symbol.asyncDispose]();
    });

    test('filters by procedure, login, database, session, ending and time decide what is sent', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const client = await server.connect('TranslationServices');
      await using failed = await EventReader.open(caller, wireEvents, {
        ended: 'failed',
        database: 'translationservices',
      });
      await using none = await EventReader.open(caller, wireEvents, { slower: '600000' });
      await client.batch('select 1');
      await client.batch("raiserror('no', 16, 1)").catch(() => {});
      const { calls } = await failed.next();
      assert.deepEqual(
        calls.map(({ error }) => error?.number),
        [50000],
      );
      assert.equal((await caller.refused(wireEvents, { session: -1 })).status, 400);
      assert.equal(none.lastId, '');
    });
  });
});
