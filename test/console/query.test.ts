import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { runQuery } from '../../src/console/api/query.ts';
import { listSessions } from '../../src/console/api/sessions.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';

const start = { kinds: [translation], settings: { httpPort: 0 } };
const database = 'TranslationServices';

describe('queries in the console', () => {
  forEachEngine((engine) => {
    test('result sets, messages and counts come back; an error has its number and line, and what came before it stays', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const text = `select 1, N'<b>Ж 𝄞</b>' as s, cast(1.50 as decimal(9,2)) as d, 0x0A as b, null as n,
        cast('2024-05-06T07:08:09' as datetime) as at, cast('2024-05-06' as date) as day,
        cast('2024-05-06T07:08:00' as smalldatetime) as minute, cast(cast('2024-05-06' as date) as sql_variant) as v
print 'said'
select 1 / 0`;
      const answer = await caller.call(runQuery, { database, text });
      assert.deepEqual(answer.sets[0]?.rows, [
        [
          '1',
          '<b>Ж 𝄞</b>',
          '1.50',
          '0x0A',
          null,
          '2024-05-06 07:08:09.000',
          '2024-05-06',
          '2024-05-06 07:08:00',
          '2024-05-06',
        ],
      ]);
      assert.deepEqual(
        answer.sets[0]?.columns.map(({ name, isNumber }) => [name, isNumber]),
        [
          ['', true],
          ['s', false],
          ['d', true],
          ['b', false],
          ['n', true],
          ['at', false],
          ['day', false],
          ['minute', false],
          ['v', false],
        ],
      );
      assert.deepEqual(
        answer.messages.map(({ text: said }) => said),
        ['said'],
      );
      assert.deepEqual([answer.error?.number, answer.error?.line], [8134, 5]);
    });

    test('every error of a batch is told with its line, also of statements behind the first, and where more rows came than are shown', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const text = `select 1 / 0\nprint 'between'\nraiserror('mine', 16, 1)\nselect 2 as n\nselect * from nowhere`;
      const { error, moreErrors, messages, sets } = await caller.call(runQuery, { database, text });
      assert.deepEqual(
        [error, ...moreErrors].map((each) => [each?.number, each?.line]),
        [
          [8134, 1],
          [50000, 3],
          [208, 5],
        ],
      );
      assert.deepEqual([messages.map(({ text: said }) => said), sets.at(-1)?.rows], [['between'], [['2']]]);
      const many = 'select 1 / 0 select 1 as n from sys.messages a cross join sys.messages b cross join sys.messages c';
      const cut = await caller.call(runQuery, { database: 'master', text: many, rows: 10 });
      assert.deepEqual([cut.error?.number, cut.sets.at(-1)?.isCut], [8134, true]);
      assert.deepEqual((await caller.call(runQuery, { database, text: 'select 1' })).moreErrors, []);
    });

    test('a query changes nothing unless an admin lets it write; the roles of others do not matter then either', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      await server.granary.accounts.create('visitor', 'Visit-Horse-7', { database: '*', role: 'writer' });
      const visitor = await ConsoleCaller.logIn(server, 'visitor', 'Visit-Horse-7');
      const grant = `exec sp_addrolemember 'db_owner', 'visitor'`;
      const create = `create login made with password = 'Made-Horse-7'`;
      const cases: [string, number][] = [
        [grant, 229],
        [create, 15247],
        ['drop login visitor', 15247],
        ['kill 30000', 6102],
        [`drop database ${database}`, 3701],
        [`exec proc_CancelJob @JobId = 1`, 229],
        [`alter login visitor with password = 'x' old_password = 'Visit-Horse-7'`, 15151],
      ];
      for (const [text, number] of cases) {
        for (const who of [caller, visitor]) {
          assert.equal((await who.call(runQuery, { database, text })).error?.number, number, text);
        }
      }
      assert.equal((await visitor.refused(runQuery, { database, text: create, writes: true })).status, 403);
      for (const shared of ['create table shared (a int)', 'create table ##shared (a int)', 'create schema shared']) {
        const { error } = await caller.call(runQuery, { database: 'tempdb', text: shared });
        assert.equal(error?.number, 262, shared);
      }
      assert.equal((await caller.call(runQuery, { database, text: create, writes: true })).error, null);
      assert.equal((await server.granary.accounts.verify('made', 'Made-Horse-7', ''))?.login, 'made');
    });

    test('no more rows than were asked for come, and no more are read than needed for the sets behind', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const few = 'select 1 as n union all select 2 union all select 3';
      const answer = await caller.call(runQuery, { database, text: `${few}\n${few}`, rows: 2 });
      assert.deepEqual(
        answer.sets.map(({ rows, isCut }) => [rows.length, isCut]),
        [
          [2, true],
          [2, true],
        ],
      );
      const many = 'select 1 as n from sys.messages a cross join sys.messages b cross join sys.messages c';
      const cut = await caller.call(runQuery, { database: 'master', text: many, rows: 10 });
      assert.deepEqual([cut.sets[0]?.rows.length, cut.sets[0]?.isCut, cut.error], [10, true, null]);
      assert.equal((await caller.call(runQuery, { database: 'nowhere', text: 'select 1' })).error?.number, 4060);
    });

    test('bodies of many requests at once are refused before they fill the memory: 503', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const { hostname, port } = new URL(caller.at);
      const head = `POST ${runQuery.path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${caller.cookie}\r\nx-granary-csrf: ${caller.csrf}\r\ncontent-type: application/json\r\ncontent-length: 4000000\r\nconnection: close\r\n\r\n`;
      const sockets = Array.from({ length: 6 }, () => connect(Number(port), hostname));
      const answers = sockets.map((socket) => socket.toArray());
      // All but the last byte, so that all of them are held at once; whoever asks then finds no room.
      for (const socket of sockets) {
        socket.write(head);
        await new Promise((resolve) => socket.write(' '.repeat(3_999_999), resolve));
      }
      const asked = { database, text: `select 1 -- ${'x'.repeat(900_000)}` };
      await until('there is no room', async () => (await caller.send(runQuery, asked)).status === 503);
      for (const socket of sockets) socket.end(' ');
      const statuses = (await Promise.all(answers)).map((pieces) => Buffer.concat(pieces).toString('latin1', 9, 12));
      assert.ok(statuses.includes('503') && statuses.includes('400'), `${statuses}`);
      assert.equal((await caller.send(runQuery, asked)).status, 200);
    });

    test('hanging up cancels a query, and nothing of it stays behind', async () => {
      await using server = await startServer({ ...start, engine });
      const caller = await ConsoleCaller.logIn(server);
      const running = async () =>
        (await caller.call(listSessions, {})).sessions.filter(
          ({ isRunning, command }) => isRunning && command === 'batch',
        );
      const abort = new AbortController();
      const asked = fetch(new URL(runQuery.path, caller.at), {
        method: 'POST',
        headers: { cookie: caller.cookie, 'x-granary-csrf': caller.csrf, 'content-type': 'application/json' },
        body: JSON.stringify({ database, text: "waitfor delay '01:00:00'" }),
        signal: abort.signal,
      }).catch(() => 'hung up');
      await until('it runs', async () => (await running()).length > 0);
      abort.abort();
      assert.equal(await asked, 'hung up');
      await until('it is gone', async () => (await running()).length === 0);
    });
  });
});
