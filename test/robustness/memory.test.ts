import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { int, nvarchar } from '../../src/tds/types/index.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { batch } from '../support/recorder.ts';
import type { TestServer } from '../support/server.ts';
import { openSession } from '../support/session.ts';
import { answers, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors } from './support/tokens.ts';

const megabyte = 1024 * 1024;

/** What a hostile login tries, and the errors that may stop it. */
const attacks: Readonly<Record<string, { readonly text: string; readonly numbers: readonly number[] }>> = {
  'a temporary table filled by REPLICATE': {
    text: `create table #t (v nvarchar(max))
      while @@error = 0 insert #t values (replicate(cast(N'x' as nvarchar(max)), 500000) + cast(newid() as nvarchar(36)))`,
    numbers: [1105],
  },
  'a temporary table that doubles': {
    text: `create table #t (v char(1000)) insert #t values ('x')
      while @@error = 0 insert #t select v from #t`,
    numbers: [1105, 701],
  },
  'a table variable': {
    text: `declare @t table (v nvarchar(max))
      while @@error = 0 insert @t values (replicate(cast(N'x' as nvarchar(max)), 500000) + cast(newid() as nvarchar(36)))`,
    numbers: [1105],
  },
  'a transaction that changes one row again and again': {
    text: `create table #t (v nvarchar(max)) insert #t values (N'') begin tran
      while @@error = 0 update #t set v = replicate(cast(N'x' as nvarchar(max)), 500000) + cast(newid() as nvarchar(36))`,
    numbers: [1105],
  },
  'a common table expression of 30 levels': {
    text: `with c0 as (select 1 n)${Array.from({ length: 30 }, (_, at) => `, c${at + 1} as (select a.n from c${at} a, c${at} b)`).join('')} select count(*) from c30`,
    numbers: [8623],
  },
  'a sorted cross join': {
    text: `select a.name + b.name + c.name n from sys.all_columns a, sys.all_columns b, sys.all_columns c order by n`,
    numbers: [701],
  },
  'many large variables': {
    text: `declare ${Array.from({ length: 300 }, (_, at) => `@v${at} nvarchar(max) = replicate(cast(N'x' as nvarchar(max)), 2000000)`).join(', ')}`,
    numbers: [701],
  },
  'a text that grows by itself': {
    text: `declare @v nvarchar(max) = N'x' while @@error = 0 set @v = @v + @v`,
    numbers: [701],
  },
  'a text that REPLACE blows up': {
    text: `declare @v nvarchar(max) = replicate(cast(N'x' as nvarchar(max)), 100000) select len(replace(@v, N'x', @v))`,
    numbers: [701],
  },
};

forEngineOfRun((engine) => {
  describe('the memory of a login is bounded', () => {
    let server: TestServer;
    before(async () => {
      server = await startLab({
        engine,
        settings: {
          maxStatementMemory: 16 * megabyte,
          maxSessionMemory: 48 * megabyte,
          maxLoginMemory: 64 * megabyte,
          maxMemory: 96 * megabyte,
        },
      });
    });
    after(() => server[Symbol.asyncDispose]());

    /** Runs an attack while another session calls a procedure all the time. */
    async function besideAnInnocent(attack: (client: RawClient) => Promise<void>): Promise<void> {
      await using attacker = await RawClient.login(server.port);
      await using innocent = await RawClient.login(server.port);
      let isOver = false;
      const before = process.memoryUsage().rss;
      let most = before;
      const attacking = attack(attacker).finally(() => {
        isOver = true;
      });
      let calls = 0;
      while (!isOver) {
        await answers(innocent);
        calls++;
        most = Math.max(most, process.memoryUsage().rss);
      }
      await attacking;
      assert.ok(calls > 0);
      assert.ok(most - before < 1500 * megabyte, `grew by ${Math.round((most - before) / megabyte)} MB`);
      await answers(attacker);
    }

    for (const [what, { text, numbers }] of Object.entries(attacks)) {
      test(what, () =>
        besideAnInnocent(async (client) => {
          const found = errors(await client.batch(text));
          assert.ok(
            found.some((number) => numbers.includes(number)),
            `${found}`,
          );
        }),
      );
    }

    test('thousands of prepared statements', () =>
      besideAnInnocent(async (client) => {
        const text = `select ${Array.from({ length: 2000 }, (_, at) => `${at} as c${at}`).join(', ')}`;
        let refused: number | undefined;
        for (let count = 0; count < 2000 && refused === undefined; count++) {
          const tokens = await client.rpc('sp_prepare', [
            { type: int, value: null, byRef: true },
            { type: nvarchar('max'), value: '' },
            { type: nvarchar('max'), value: `${text} -- ${count}` },
          ]);
          refused = errors(tokens)[0];
        }
        assert.equal(refused, 701);
      }));
  });
});

describe('memory is given back', () => {
  const filled = "select top 2000 replicate('x', 1000) v into #t from sys.all_columns a, sys.all_columns b";
  const growing: Readonly<Record<string, string>> = {
    'when a table is dropped': `${filled} drop table #t`,
    'when rows are deleted': `${filled} delete #t; drop table #t`,
    'when rows are changed': `${filled} update #t set v = 'y'; drop table #t`,
    'when a transaction is rolled back': `begin tran ${filled} update #t set v = v + 'y'; delete top (100) #t; rollback`,
    'when one is committed': `begin tran ${filled} update #t set v = v + 'y'; delete top (100) #t; drop table #t commit`,
    'when a table is altered': `${filled} alter table #t add w int; drop table #t`,
    'when a batch with variables ends': "declare @v varchar(max) = replicate(cast('x' as varchar(max)), 1000000)",
    'when a batch with a table variable ends': `declare @t table (v varchar(1000)) insert @t select top 1000 replicate('x', 1000) from sys.all_columns`,
    'when a procedure ends': `exec('${filled.replaceAll("'", "''")}')`,
    'when a statement fails': `create table #u (v varchar(1000) primary key) begin try insert #u select top 2000 replicate('x', 900) from sys.all_columns end try begin catch end catch drop table #u`,
    'when a cursor is gone': `declare c cursor static for select top 2000 replicate('x', 1000) from sys.all_columns a, sys.all_columns b open c close c deallocate c`,
    'when SELECT INTO fails':
      'begin try select 1/(a.column_id - 5) n into #v from sys.all_columns a end try begin catch end catch',
  };
  for (const [when, text] of Object.entries(growing)) {
    test(when, async () => {
      const host = await openSession();
      for (let round = 0; round < 3; round++) {
        const { errors: found } = await batch(host, text);
        assert.deepEqual(
          found.map(({ number }) => number),
          [],
        );
        assert.equal(host.memory.used, 0);
      }
    });
  }

  test('when the session ends or begins anew', async () => {
    const host = await openSession();
    await batch(host, filled);
    assert.ok(host.memory.used > 2 * megabyte);
    await host.reset(false);
    assert.equal(host.memory.used, 0);
    await batch(host, filled);
    await host.close();
    assert.equal(host.memory.used, 0);
  });
});
