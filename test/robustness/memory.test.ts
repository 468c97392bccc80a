import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { int, nvarchar } from '../../src/tds/types/index.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { memoryInUse } from '../support/memory-in-use.ts';
import { batch } from '../support/recorder.ts';
import type { TestServer } from '../support/server.ts';
import { openSession } from '../support/session.ts';
import { answers, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors } from './support/tokens.ts';

// Alone in its process: it measures memory.

const megabyte = 1024 * 1024;

/** A table of short rows, and a long value for each; what is to be put into `n` is refused when a row gets there. */
const many = `create table #t (v nvarchar(4000), n int not null) insert #t select top 20000 N'y', 1 from sys.all_columns a, sys.all_columns b`;
const long = "upper(replicate(N'x', 4000))";

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
  'rows that MERGE is to insert': {
    text: `${many} create table #u (v nvarchar(4000), n int not null)
      merge #u using #t s on 1 = 0 when not matched then insert (v) values (${long});`,
    numbers: [1105],
  },
  'values that UPDATE is to put in': { text: `${many} update #t set v = ${long}, n = null`, numbers: [1105] },
  'rows that UPDATE takes values from': {
    text: `${many} update #t set v = len(l) from #t cross apply (select ${long} + #t.v l) s`,
    numbers: [1105],
  },
  'rows that DELETE looks at': {
    text: `${many} delete #t from #t cross apply (select ${long} + #t.v l) s where l > N''`,
    numbers: [701],
  },
  'rows of OUTPUT': { text: `${many} update #t set v = N'z' output ${long}`, numbers: [701] },
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
  /** Divides by zero in the last row, when the others are held. */
  const failing = `${filled} insert #t values ('')`;
  const growing: Readonly<Record<string, string>> = {
    'when a table is dropped': `${filled} drop table #t`,
    'when rows are deleted': `${filled} delete #t; drop table #t`,
    'when rows are changed': `${filled} update #t set v = 'y'; drop table #t`,
    'when a transaction is rolled back': `begin tran ${filled} update #t set v = v + 'y'; delete top (100) #t; rollback`,
    'when one is committed': `begin tran ${filled} update #t set v = v + 'y'; delete top (100) #t; drop table #t commit`,
    'when a table is altered': `${filled} alter table #t add w int; drop table #t`,
    'when a batch with variables ends': "declare @v varchar(max) = replicate(cast('x' as varchar(max)), 1000000)",
    'when a batch with a table variable ends': `declare @t table (v varchar(1000)) insert @t select top 1000 replicate('x', 1000) from sys.all_columns`,
    'when a batch that declares a table variable in a loop ends': `declare @i int = 0 while @i < 9 begin declare @t table (v int) insert @t values (1) set @i += 1 end`,
    'when a procedure ends': `exec('${filled.replaceAll("'", "''")}')`,
    'when a statement fails': `create table #u (v varchar(1000) primary key) begin try insert #u select top 2000 replicate('x', 900) from sys.all_columns end try begin catch end catch drop table #u`,
    'when a cursor is gone': `declare c cursor static for select top 2000 replicate('x', 1000) from sys.all_columns a, sys.all_columns b open c close c deallocate c`,
    'when a MERGE ends':
      "create table #m (v varchar(9)) merge #m using sys.all_columns s on 1 = 0 when not matched then insert values ('x') output s.name; drop table #m",
    'when OUTPUT has been sent': `${filled} update #t set v = 'y' output deleted.v; drop table #t`,
    'when OUTPUT has gone into a table':
      "declare @o table (v varchar(1000)) create table #o (v int) insert #o output replicate('x', 500) into @o select top 1000 1 from sys.all_columns drop table #o",
    'when OUTPUT fails': `${failing} begin try delete #t output 1 / len(deleted.v) end try begin catch end catch drop table #t`,
    'when UPDATE fails': `${failing} begin try update #t set v = 1 / len(v) end try begin catch end catch drop table #t`,
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

describe('who keeps a little of something large does not keep all of it', () => {
  const make = (kept: string) => `create table #kept (t nvarchar(100), b varbinary(100)) declare @at int = 0, @i int = 0
    declare @t nvarchar(max), @b varbinary(max), @x xml
    while @i < 12 begin set @i += 1
      set @t = N'<a>' + replicate(cast(N'abcdefghijklmnopqrst' as nvarchar(max)), 100000) + cast(newid() as nvarchar(36)) + N'</a>'
      ${kept}
    end`;
  const insert = (value: string) => make(`insert #kept (t) values (${value})`);
  /** What a session keeps, or would, of twelve texts of four megabytes each. */
  const kept: Readonly<Record<string, string>> = {
    SUBSTRING: insert('substring(@t, 5, 30)'),
    LEFT: insert('left(@t, 30)'),
    RIGHT: insert('right(@t, 30)'),
    STUFF: insert("stuff(@t, 20, 2000000, N'x')"),
    TRIM: insert('left(rtrim(ltrim(substring(@t, 1, 30) + space(100))), 25)'),
    'a conversion that cuts': insert('cast(@t as nvarchar(30))'),
    REPLACE: insert("right(replace(@t, N'<a>', N''), 30)"),
    'an update': make(`if @i = 1 insert #kept (t) values (N'') update #kept set t += substring(@t, @i, 8)`),
    'bytes of bytes': make('insert #kept (b) values (substring(cast(@t as varbinary(max)), 3, 30))'),
    'bytes that are cut': make('insert #kept (b) values (cast(cast(@t as varbinary(max)) as varbinary(30)))'),
    'a value of XML': make(`set @x = N'<r><v>' + substring(@t, 5, 30) + N'</v>' + substring(@t, 4, 2000000) + N'</r>'
      insert #kept (t) values (@x.value('(/r/v)[1]', 'nvarchar(100)'))`),
  };
  for (const [what, text] of Object.entries(kept)) {
    test(what, async () => {
      const host = await openSession();
      await batch(host, 'select 1');
      const before = memoryInUse();
      assert.deepEqual((await batch(host, text)).errors, []);
      const grown = memoryInUse() - before;
      assert.ok(grown < 20 * megabyte, `${Math.round(grown / megabyte)} MB are kept`);
      await host.close();
    });
  }

  test('names, constants and definitions of a long batch', async () => {
    const host = await openSession();
    const comment = (at: number) => `/* ${'long '.repeat(400_000)}${at}ж */`;
    const texts = [
      (at: number) => `insert #kept values (N'a constant that is long enough ${at}')`,
      (at: number) => `insert #kept values ('a constant that is long enough ${at}')`,
      (at: number) =>
        `create table #a_table_with_a_long_name_${at} (a_column_with_a_long_name int default (11111111111111))`,
      (at: number) =>
        `declare a_cursor_with_a_long_name_${at} cursor global for select N'a constant that is long enough'`,
      (at: number) => `exec sp_set_session_context N'a key that is long enough ${at}', N'a value that is long enough'`,
    ];
    assert.deepEqual((await batch(host, 'create table #kept (t nvarchar(100))')).errors, []);
    const before = memoryInUse();
    for (const text of texts) {
      for (let at = 0; at < 3; at++) assert.deepEqual((await batch(host, `${text(at)} ${comment(at)}`)).errors, []);
    }
    const grown = memoryInUse() - before;
    assert.ok(grown < 20 * megabyte, `${Math.round(grown / megabyte)} MB are kept`);
    await host.close();
  });
});

describe('what a session keeps counts', () => {
  const limits = { memory: { sessionMemory: 32 * megabyte }, statementMemory: 24 * megabyte };
  /** For what is small, and of which the larger limit would take tens of thousands. */
  const narrow = { ...limits, memory: { sessionMemory: 4 * megabyte } };
  const twoMegabytes =
    "declare @v nvarchar(max) = replicate(cast(N'x' as nvarchar(max)), 1000000) + cast(newid() as nvarchar(36))";
  const inList = Array.from({ length: 10_000 }, (_, at) => at).join();
  interface Loop {
    /** The text of a round, in which `{i}` is its number. */
    readonly round: string;
    /** The error that it ends in. */
    readonly number: number;
    readonly first?: string;
    readonly within?: typeof limits;
  }
  const loops: Readonly<Record<string, Loop>> = {
    'the values in the query of a cursor': {
      round: `${twoMegabytes} declare c{i} cursor global for select @v`,
      number: 701,
    },
    'the queries of cursors': {
      round: `declare c{i} cursor global for select 1 where 1 in (${inList})`,
      number: 701,
    },
    'cursors without rows': {
      round: 'declare c{i} cursor global static for select 1 where 1 = 0 open c{i}',
      number: 701,
      within: narrow,
    },
    'checks of tables': { round: `create table #t{i} (a int check (a in (${inList})))`, number: 1105 },
    'defaults of tables': {
      round: `create table #t{i} (a int default (case when 1 in (${inList}) then 1 end))`,
      number: 1105,
    },
    'unique indexes': {
      first:
        'create table #t (a int) insert #t select top 20000 row_number() over (order by (select 1)) from sys.all_columns a, sys.all_columns b',
      round: 'create unique index i{i} on #t (a)',
      number: 1105,
    },
    'dropped indexes of an open transaction': {
      first:
        'begin tran create table #t (a int) insert #t select top 20000 row_number() over (order by (select 1)) from sys.all_columns a, sys.all_columns b',
      round: 'create unique index i{i} on #t (a) drop index i{i} on #t',
      number: 1105,
    },
    savepoints: {
      first: 'begin tran',
      round: 'declare @i int = 0 while @i < 2000 begin save tran s{i} set @i += 1 end',
      number: 701,
    },
  };
  for (const [what, { first = 'select 1', round, number, within = limits }] of Object.entries(loops)) {
    test(what, async () => {
      const host = await openSession(within);
      assert.deepEqual((await batch(host, first)).errors, []);
      const numbers: number[] = [];
      for (let at = 0; at < 40_000 && numbers.length === 0; at++) {
        numbers.push(...(await batch(host, round.replaceAll('{i}', String(at)))).errors.map((error) => error.number));
      }
      // What follows in the same round may fail for want of what was not made.
      assert.equal(numbers[0], number);
      await host.close();
      assert.equal(host.memory.used, 0);
    });
  }

  test('an index that is dropped is given back, and one that cannot be made takes nothing', async () => {
    const host = await openSession();
    const run = async (text: string) => (await batch(host, text)).errors.map((error) => error.number);
    assert.deepEqual(await run('create table #t (a int, b int) insert #t values (1, 1), (2, 1)'), []);
    const { used } = host.memory;
    assert.deepEqual(await run('create unique index i on #t (a)'), []);
    assert.ok(host.memory.used > used);
    assert.deepEqual(await run('begin tran drop index i on #t'), []);
    assert.ok(host.memory.used > used);
    assert.deepEqual(await run('rollback'), []);
    assert.ok(host.memory.used > used);
    assert.deepEqual(await run('drop index i on #t'), []);
    assert.equal(host.memory.used, used);
    assert.deepEqual(await run('create unique index i on #t (b)'), [1505]);
    assert.equal(host.memory.used, used);
    assert.deepEqual(await run('begin tran create unique index i on #t (a) rollback'), []);
    assert.equal(host.memory.used, used);
  });

  test('a table has 999 indexes at most: error 1910', async () => {
    const host = await openSession();
    assert.deepEqual((await batch(host, 'create table #t (a int)')).errors, []);
    const indexes = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `create index i${from + at} on #t (a)`).join('\n');
    assert.deepEqual((await batch(host, indexes(0, 999))).errors, []);
    assert.deepEqual(
      (await batch(host, indexes(999, 1000))).errors.map(({ number }) => number),
      [1910],
    );
  });
});
