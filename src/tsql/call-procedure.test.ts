import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sessionWithDouble } from '../../test/support/double-procedure.ts';
import { batch, Recorder } from '../../test/support/recorder.ts';
import { openSession } from '../../test/support/session.ts';
import type { Argument } from '../procedure/run/bind.ts';
import type { SessionHost } from '../session/session-host.ts';
import { int, nvarchar, varchar } from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { callProcedure } from './call-procedure.ts';

const arg = (type: AnyType, value: unknown, more: Partial<Argument> = {}): Argument => ({
  name: '',
  type,
  value,
  output: false,
  byDefault: false,
  ...more,
});

async function rpc(host: SessionHost, name: string, args: readonly Argument[]) {
  const recorder = new Recorder();
  const executed = await callProcedure(host, name, args, recorder, new AbortController().signal);
  return { recorder, ...executed };
}

describe('procedures called by RPC', () => {
  test('sp_executesql passes values in and out', async () => {
    const { recorder, status, outputs } = await rpc(await openSession(), 'sp_executesql', [
      arg(nvarchar(100), 'select @a; set @b = @a + 1'),
      arg(nvarchar(100), '@a int, @b int output'),
      arg(varchar(5), '41', { name: '@a' }),
      arg(int, null, { name: '@b', output: true }),
    ]);
    assert.deepEqual(recorder.sets[0]?.rows, [[41]]);
    assert.equal(status, 0);
    assert.deepEqual(
      outputs.map(({ name, value, argument }) => [name, value, argument]),
      [['@b', 42, 3]],
    );
  });

  test('sp_executesql refuses a missing value with 8178 and a strange one with 8145', async () => {
    const start = [arg(nvarchar(100), 'select @a'), arg(nvarchar(100), '@a int')];
    await assert.rejects(rpc(await openSession(), 'sp_executesql', start), { number: 8178 });
    await assert.rejects(rpc(await openSession(), 'sp_executesql', [...start, arg(int, 1, { name: '@z' })]), {
      number: 8145,
    });
    await assert.rejects(rpc(await openSession(), 'sp_executesql', [...start, arg(varchar(5), 'x', { name: '@a' })]), {
      number: 8114,
    });
  });

  test('a prepared statement runs by its handle until it is let go', async () => {
    const host = await openSession();
    const prepared = await rpc(host, 'sp_prepare', [
      arg(int, null, { output: true }),
      arg(nvarchar(100), '@a int'),
      arg(nvarchar(100), 'select 10 / @a'),
      arg(int, 1),
    ]);
    const handle = prepared.outputs[0]?.value;
    assert.deepEqual(prepared.recorder.events, ['columns', 'rows 0']);
    const run = await rpc(host, 'sp_execute', [arg(int, handle), arg(int, 5)]);
    assert.deepEqual(run.recorder.sets[0]?.rows, [[2]]);
    const failed = await rpc(host, 'sp_execute', [arg(int, handle), arg(int, 0)]);
    assert.deepEqual(
      failed.recorder.errors.map(({ number }) => number),
      [8134],
    );
    await rpc(host, 'sp_unprepare', [arg(int, handle)]);
    await assert.rejects(rpc(host, 'sp_execute', [arg(int, handle), arg(int, 5)]), { number: 8179 });
  });

  test('sp_prepexec returns a handle and runs at once', async () => {
    const { outputs, recorder } = await rpc(await openSession(), 'sp_prepexec', [
      arg(int, null, { output: true }),
      arg(nvarchar(100), '@a int'),
      arg(nvarchar(100), 'select @a'),
      arg(int, 5),
    ]);
    assert.equal(typeof outputs[0]?.value, 'number');
    assert.deepEqual(recorder.sets[0]?.rows, [[5]]);
  });

  test('a temporary procedure takes arguments, sets outputs and returns a status', async () => {
    const host = await openSession();
    await batch(
      host,
      "create procedure #p @a int, @b nvarchar(10) = N'x' output as select @a set @b = @b + N'!' return -1",
    );
    const { status, outputs, recorder } = await rpc(host, '#p', [
      arg(int, 5, { name: '@a' }),
      arg(nvarchar(10), 'y', { name: '@b', output: true }),
    ]);
    assert.equal(status, -1);
    assert.deepEqual(
      outputs.map(({ value }) => value),
      ['y!'],
    );
    assert.deepEqual(recorder.sets[0]?.rows, [[5]]);
    await assert.rejects(rpc(host, '#p', []), { number: 201 });
    await assert.rejects(rpc(host, '#p', [arg(int, 1), arg(int, 1), arg(int, 1)]), { number: 8144 });
    await assert.rejects(rpc(host, '#p', [arg(int, 1, { name: '@z' })]), { number: 8145 });
    await assert.rejects(rpc(host, '#q', []), { number: 2812 });
  });

  test('sp_prepexecrpc calls a procedure and keeps the call for sp_execute', async () => {
    const host = await sessionWithDouble();
    const first = await rpc(host, 'sp_prepexecrpc', [
      arg(int, null, { output: true }),
      arg(nvarchar(50), 'dbo.proc_Double'),
      arg(int, 4),
      arg(int, null, { output: true }),
    ]);
    assert.deepEqual(
      first.outputs.map(({ value, argument }) => [value, argument]),
      [
        [1, 0],
        [8, 3],
      ],
    );
    assert.equal(first.status, 7);
    const again = await rpc(host, 'sp_execute', [arg(int, 1), arg(int, 5), arg(int, null, { output: true })]);
    assert.deepEqual(
      again.outputs.map(({ value, argument }) => [value, argument]),
      [[10, 2]],
    );
    await assert.rejects(rpc(host, 'sp_prepexecrpc', [arg(int, null, { output: true }), arg(nvarchar(50), 'nope')]), {
      number: 2812,
    });
  });

  test('what a client makes under the name of a system procedure is found neither by RPC nor by EXECUTE', async () => {
    const host = await openSession();
    await batch(host, 'use tempdb');
    await batch(host, "create procedure sp_who as select 'mine'");
    await batch(host, "create procedure sp_executesql as select 'mine'");
    await batch(host, "create procedure sp_mine as select 'mine'");
    const columns = async (name: string, args: readonly Argument[] = []) => [
      (await rpc(host, name, args)).recorder.sets[0]?.columns[0]?.name,
      (await batch(host, `exec ${name} ${args.length > 0 ? "N'select 1 as one'" : ''}`)).sets[0]?.columns[0]?.name,
    ];
    assert.deepEqual(await columns('sp_who'), ['spid', 'spid']);
    assert.deepEqual(await columns('sp_executesql', [arg(nvarchar(50), 'select 1 as one')]), ['one', 'one']);
    assert.deepEqual(await columns('sp_mine'), ['', '']);
  });

  test('under FMTONLY a procedure tells the columns of its rows and is not run', async () => {
    const host = await sessionWithDouble();
    host.options.fmtOnly = true;
    const { recorder, outputs } = await rpc(host, 'proc_Double', [arg(int, -1)]);
    assert.deepEqual(recorder.events, ['columns', 'rows 0']);
    assert.deepEqual(
      recorder.sets[0]?.columns.map(({ name }) => name),
      ['Value'],
    );
    assert.deepEqual(outputs, []);
  });
});
