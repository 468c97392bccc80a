import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sessionWithDouble } from '../../test/support/double-procedure.ts';
import { batch, Recorder } from '../../test/support/recorder.ts';
import { openSession } from '../../test/support/session.ts';
import { inTempDb } from '../../test/support/tempdb-session.ts';
import { runBatch } from './run-batch.ts';

/** What a batch reports, in order. */
const runs: readonly [what: string, text: string, events: readonly string[]][] = [
  [
    'goes on after an error that ends only its statement',
    'select 1/0 select 2',
    ['columns', 'error 8134', 'done select failed', 'columns', 'rows 1'],
  ],
  [
    'tells that an arithmetic error ended a statement that changes rows, and counts none',
    'create table #t (n int) insert #t values (1), (2) insert #t select 1/0 select n from #t where n > @@rowcount + 1',
    ['done create table', 'done insert 2', 'error 8134', 'info 3621', 'done insert failed', 'columns', 'rows 1'],
  ],
  [
    'stops after a failed conversion',
    "select cast('x' as int) select 2",
    ['columns', 'error 245', 'done select failed'],
  ],
  ['stops after an object that is not there', 'select * from nope select 2', ['error 208', 'done select failed']],
  [
    'goes on after an unknown procedure',
    'exec nope select 2',
    ['error 2812', 'done execute failed', 'columns', 'rows 1'],
  ],
  ['runs nothing of a batch that cannot be read', 'select 1 select from', ['error 156', 'done other failed']],
  ['runs nothing of a batch with an undeclared variable', 'select 1 select @x', ['error 137', 'done other failed']],
  [
    'closes the result set of a statement that CATCH handles',
    'begin try select 1/0 end try begin catch print error_number() end catch',
    ['done other', 'columns', 'rows 0', 'done other', 'info 0', 'done print'],
  ],
  [
    'tells of a change that CATCH handles that it changed nothing',
    "create table #t (n int) begin try insert #t values ('x') end try begin catch throw end catch",
    ['done create table', 'done other', 'done insert 0', 'done other', 'error 245', 'done other failed'],
  ],
  [
    'answers SET and DECLARE with a value as a SELECT of one row',
    'declare @a int, @b int = 1, @c int = 2 set @a = 3',
    ['done select 1', 'done select 1', 'done select 1'],
  ],
  [
    'answers every test of a condition',
    'declare @i int set @i = 0 while @i < 1 set @i = 1 if 1 = 0 print 1',
    ['done select 1', 'done other', 'done select 1', 'done other', 'done other'],
  ],
  [
    'goes on after a procedure that an unknown object ended',
    "exec ('select * from nope print 1') print 2",
    ['error 208', 'done select failed', 'info 0', 'done print'],
  ],
  [
    'lets CATCH see an unknown object of a text that it called, and none of its own',
    "begin try exec ('select * from nope') end try begin catch print 1 end catch begin try select * from nope end try begin catch print 2 end catch",
    ['done other', 'done other', 'info 0', 'done print', 'done other', 'error 208', 'done select failed'],
  ],
  [
    'goes on after a text that cannot be read, and lets CATCH see why',
    "exec ('select @nobody') print 1 begin try exec ('select @nobody') end try begin catch print error_number() end catch",
    ['error 137', 'done execute failed', 'info 0', 'done print', 'done other', 'done other', 'info 0', 'done print'],
  ],
  [
    'stops after a failed conversion of a text that it called',
    "exec ('select 1 + ''x''') print 2",
    ['columns', 'error 245', 'done select failed'],
  ],
  [
    'goes on after RAISERROR',
    "raiserror('x', 16, 1) print 'y'",
    ['error 50000', 'done other failed', 'info 0', 'done print'],
  ],
  ['stops after THROW', "throw 50001, 'x', 1; print 'y'", ['error 50001', 'done other failed']],
  ['sends RAISERROR of a low severity as a message', "raiserror('x', 10, 1)", ['info 50000', 'done raiserror']],
  [
    'enters and leaves a procedure',
    'declare @t int exec proc_Double 1, @t output',
    ['enter proc_Double', 'columns', 'rows 1', 'leave 7'],
  ],
  [
    'reports an error before it leaves the procedure',
    'declare @t int exec proc_Double -1, @t output select 1',
    ['enter proc_Double', 'error 547', 'leave -6', 'columns', 'rows 1'],
  ],
  [
    'says nothing of an error that CATCH handles',
    'declare @t int begin try exec proc_Double -1, @t output end try begin catch end catch',
    ['done other', 'enter proc_Double', 'leave undefined', 'done other'],
  ],
  ['refuses a missing argument', 'exec proc_Double', ['enter proc_Double', 'error 201', 'leave -6']],
  [
    'refuses an argument of the wrong kind',
    "declare @t int exec proc_Double 'x', @t output",
    ['enter proc_Double', 'error 8114', 'leave -6'],
  ],
  [
    'cuts an argument that is too long',
    "declare @t int exec proc_Double 1, @t output, 'abcdef'",
    ['enter proc_Double', 'columns', 'rows 1', 'leave 7'],
  ],
  ['refuses COMMIT without a transaction', 'commit', ['error 3902', 'done other failed']],
  ['refuses ROLLBACK without a transaction', 'rollback', ['error 3903', 'done other failed']],
  [
    'refuses ROLLBACK to a name that is not there',
    'begin tran rollback tran x',
    ['done begin transaction', 'error 6401', 'done other failed'],
  ],
  ['refuses SAVE without a transaction', 'save tran x', ['error 628', 'done other failed']],
  ['refuses an unknown SET option', 'set nosuch on', ['error 195', 'done set failed']],
  ['refuses an unknown database', 'use nosuch', ['error 911', 'done other failed']],
  ['refuses to make a lasting table', 'create table t (a int)', ['error 262', 'done other failed']],
  ['refuses to make a view', 'create view v as select 1', ['error 262', 'done other failed']],
];

for (const [what, text, events] of runs) {
  test(`a batch ${what}`, async () => {
    assert.deepEqual((await batch(await sessionWithDouble(), text)).events, events);
  });
}

test('DBCC USEROPTIONS lists what SET has set', async () => {
  const host = await openSession();
  const { sets, events } = await batch(
    host,
    'set transaction isolation level serializable set nocount on set ansi_padding off set dateformat dmy dbcc useroptions',
  );
  const listed = new Map(sets[0]?.rows.map(([name, value]) => [String(name), value]));
  assert.equal(listed.get('isolation level'), 'serializable');
  assert.equal(listed.get('dateformat'), 'dmy');
  assert.deepEqual(
    [listed.get('nocount'), listed.get('ansi_nulls'), listed.has('ansi_padding')],
    ['SET', 'SET', false],
  );
  assert.deepEqual(events.slice(-3), [`rows ${listed.size}`, 'info 2528', 'done other']);
  assert.deepEqual((await batch(host, 'dbcc useroptions with no_infomsgs')).messages, []);
  assert.deepEqual((await batch(host, "dbcc checkdb ('master') select 1")).events.slice(0, 2), [
    'error 2526',
    'done other failed',
  ]);
});

describe('control of flow', () => {
  const rows: readonly [text: string, value: unknown, errors?: number][] = [
    ['select 1/0 if @@error = 8134 select @@error', 0, 1],
    ["exec ('select * from nope') select @@error", 208, 1],
    ["declare @n int exec ('select 1 union select 2') if @@rowcount = 2 set @n = @@rowcount select @n", 0],
    ["begin tran begin try select 1 + 'x' end try begin catch select xact_state() end catch", -1, 1],
    ['declare @i int = 0 while @i < 10 begin set @i += 1 if @i = 3 continue if @i = 5 break end select @i', 5],
    ['declare @i int = 0 again: set @i += 1 if @i < 4 goto again select @i', 4],
    ['if 1 = 0 select 1 else if 1 = 1 select 2 else select 3', 2],
    [
      "declare @s varchar(50) = '' select @s = @s + x from (values ('a'), ('b'), ('c')) v(x) order by x desc select @s",
      'cba',
    ],
    ['declare @rc int, @t int exec @rc = proc_Double @Twice = @t output, @Value = 21 select @rc * 100 + @t', 742],
    [
      'declare @t int begin try exec proc_Double -1, @t output end try begin catch select error_number() end catch',
      547,
    ],
    ["begin try raiserror('x', 16, 7) end try begin catch select error_state() end catch", 7],
    [
      "begin try begin try throw 50005, 'a', 1 end try begin catch throw end catch end try begin catch select error_number() end catch",
      50005,
    ],
    ["begin try exec('select 1/0') end try begin catch select error_number() end catch", 8134],
    ['select 1/0 select @@error', 8134, 1],
    ['select 1 union all select 2 select @@rowcount', 2],
    ['set rowcount 2 select x from (values (1), (2), (3)) v(x) set rowcount 0 select @@rowcount', 0],
    ["declare @n nvarchar(20) = N'proc_Double', @t int exec @n 4, @t output select @t", 8],
    ["exec('declare @x int = 3 select @x')", 3],
    ['select 1 as a into #t insert #t select a + 1 from #t select sum(a) from #t', 3],
  ];
  for (const [text, value, told = 0] of rows) {
    test(text, async () => {
      const { sets, errors } = await batch(await sessionWithDouble(), text);
      assert.equal(errors.length, told);
      assert.equal(sets.at(-1)?.rows.at(-1)?.[0], value);
    });
  }
});

test('an error tells its line and its procedure', async () => {
  const host = await openSession();
  await batch(host, 'create procedure #p as\nselect 1\n\nselect 1/0');
  const { errors } = await batch(host, 'select 1\nexec #p\nselect 1/0');
  assert.deepEqual(
    errors.map(({ number, line, procedure: name }) => [number, line, name]),
    [
      [8134, 4, '#p'],
      [8134, 3, ''],
    ],
  );
});

test('procedures that call themselves end at level 32 with 217', async () => {
  const host = await openSession();
  await batch(host, 'create procedure #p as exec #p');
  assert.deepEqual(
    (await batch(host, 'exec #p')).errors.map(({ number }) => number),
    [217],
  );
});

test('XACT_ABORT undoes the transaction and ends the batch', async () => {
  const host = await openSession();
  const { events } = await batch(host, 'set xact_abort on begin tran select 1/0 select 2');
  assert.deepEqual(events.slice(-2), ['error 8134', 'done select failed']);
  assert.equal(host.transactions.count, 0);
});

test('a transaction that TRY left uncommittable is rolled back at the end of the batch with 3998', async () => {
  const host = await openSession();
  const { errors, events } = await batch(
    host,
    'set xact_abort on begin tran begin try select 1/0 end try begin catch print xact_state() end catch',
  );
  assert.deepEqual(
    errors.map(({ number }) => number),
    [3998],
  );
  assert.deepEqual(events.slice(-2), ['error 3998', 'done other failed'], 'an answer ends in DONE');
  assert.equal(host.transactions.count, 0);
});

for (const statement of ['commit', 'save tran s']) {
  test(`a transaction that TRY left uncommittable refuses ${statement} with 3930`, async () => {
    const host = await openSession();
    const { errors } = await batch(
      host,
      `begin tran begin try select cast('x' as int) end try begin catch ${statement} end catch select 1`,
    );
    assert.deepEqual(
      errors.map(({ number }) => number),
      [3930],
    );
    assert.equal(host.transactions.count, 0);
  });
}

test('IMPLICIT_TRANSACTIONS begins a transaction at the first statement that touches data', async () => {
  const host = await openSession();
  await batch(host, 'set implicit_transactions on');
  assert.equal(host.transactions.count, 0);
  await batch(host, 'create table #t (a int)');
  assert.equal(host.transactions.count, 1);
});

for (const text of [
  'select a from t',
  'declare @b int select @b = a from t',
  'select 1 a into #t',
  'open c',
  'fetch c',
]) {
  test(`IMPLICIT_TRANSACTIONS begins a transaction at ${text}, and none at a SELECT that reads no table`, async () => {
    const host = await inTempDb('create table t (a int) declare c cursor for select a from t');
    if (text === 'fetch c') await batch(host, 'open c');
    await batch(host, 'set implicit_transactions on select 1 declare @a int = 1 select @a = 2');
    assert.equal(host.transactions.count, 0);
    assert.deepEqual((await batch(host, text)).errors, []);
    assert.equal(host.transactions.count, 1);
  });
}

for (const statement of [
  'create index i on t (a)',
  'drop index k on t',
  'drop table t',
  'create procedure made as select 1',
  'drop procedure p',
  'create schema made',
]) {
  test(`IMPLICIT_TRANSACTIONS begins a transaction at ${statement}, which a rollback undoes`, async () => {
    const host = await inTempDb('create table t (a int) create index k on t (a)');
    await batch(host, 'create procedure p as select 2');
    const names =
      'select name from sys.objects union all select name from sys.schemas union all select name from sys.indexes';
    const before = await batch(host, names);
    await batch(host, 'set implicit_transactions on');
    assert.deepEqual((await batch(host, statement)).errors, []);
    assert.equal(host.transactions.count, 1);
    await batch(host, 'rollback set implicit_transactions off');
    assert.deepEqual((await batch(host, names)).sets, before.sets);
  });
}

test('the options that drivers send at start change what @@OPTIONS and its kin tell', async () => {
  const host = await openSession();
  await batch(
    host,
    'set ansi_nulls on\nset arithabort on\nset datefirst 3\nset dateformat dmy\nset textsize 100\nset nocount on\nset lock_timeout 500\nset transaction isolation level serializable',
  );
  const { sets } = await batch(
    host,
    "select @@options & 64, @@options & 512, @@datefirst, @@textsize, @@lock_timeout, datepart(month, '1/2/2024')",
  );
  assert.deepEqual(sets[0]?.rows[0], [64, 512, 3, 100, 500, 2]);
  assert.equal(host.options.isolation, 'serializable');
});

test('what a procedure sets, makes and uses ends with it', async () => {
  const host = await openSession();
  await batch(
    host,
    "create procedure #p as set nocount on set xact_abort on create table #made (a int) exec('use tempdb')",
  );
  const { errors } = await batch(host, 'exec #p select * from #made');
  assert.deepEqual(
    errors.map(({ number }) => number),
    [208],
  );
  assert.equal(host.options.noCount || host.options.xactAbort, false);
  assert.equal(host.database, 'master');
});

test('SET LANGUAGE brings its dates unless the client has set them itself', async () => {
  const host = await openSession();
  const { sets } = await batch(
    host,
    "set language Deutsch select @@language, @@langid, @@datefirst, datepart(month, '1/2/2024')",
  );
  assert.deepEqual(sets[0]?.rows, [['Deutsch', 1, 1, 2]]);
  await batch(host, 'set datefirst 3 set dateformat ymd set language us_english');
  assert.deepEqual([host.options.dateFirst, host.options.dateFormat], [3, 'ymd']);
  assert.deepEqual(
    (await batch(host, 'set language Klingon')).errors.map(({ number }) => number),
    [2740],
  );
});

test('WAITFOR ends at once when the client cancels', async () => {
  const cancel = new AbortController();
  const waiting = runBatch(await openSession(), "waitfor delay '01:00:00'", new Recorder(), cancel.signal);
  cancel.abort(new Error('cancelled'));
  await assert.rejects(waiting, { message: 'cancelled' });
});

test('an endless loop ends when the client cancels', async () => {
  const cancel = new AbortController();
  const looping = runBatch(await openSession(), 'while 1 = 1 set nocount on', new Recorder(), cancel.signal);
  setImmediate(() => cancel.abort(new Error('cancelled')));
  await assert.rejects(looping, { message: 'cancelled' });
});

test('HAS_DBACCESS tells what the login may use, @@DBTS the last row version', async () => {
  const { sets } = await batch(
    await openSession(),
    "select has_dbaccess('tempdb'), has_dbaccess('Other'), has_dbaccess('nowhere'), cast(@@dbts as bigint)",
  );
  assert.deepEqual(sets[0]?.rows, [[1, 0, null, 0n]]);
});
