import type { Argument } from '../../src/procedure/run/bind.ts';
import { int, ntext } from '../../src/tds/types/index.ts';
import type { AnyType } from '../../src/tds/types/sql-type.ts';
import { callProcedure } from '../../src/tsql/call-procedure.ts';
import type { Host } from '../../src/tsql/host.ts';
import { Recorder } from './recorder.ts';

export const arg = (type: AnyType, value: unknown, output = false): Argument => ({
  name: '',
  type,
  value,
  output,
  byDefault: false,
});
export const out = (value: number | null): Argument => arg(int, value, true);
export const n = (value: number | null): Argument => arg(int, value);
export const text = (value: string): Argument => arg(ntext, value);

export const keyset = 1;
export const forwardOnly = 4;
export const isStatic = 8;
export const fastForward = 0x10;
export const parameterized = 0x1000;
export const autoFetch = 0x2000;
export const autoClose = 0x4000;
export const checkTypes = 0x8000;
export const allowDirect = 0x2000;

export const five = 'with n as (select 1 as id union all select id + 1 from n where id < 5) select id from n';

export async function call(host: Host, name: string, ...args: readonly Argument[]) {
  const recorder = new Recorder();
  const { status, outputs } = await callProcedure(host, name, args, recorder, new AbortController().signal);
  return {
    status,
    out: outputs.map(({ value }) => Number(value)),
    rows: recorder.sets[0]?.rows,
    columns: recorder.sets[0]?.columns.map(({ name }) => name),
    messages: recorder.messages.map(({ number }) => number),
    events: recorder.events,
  };
}

export const open = (host: Host, stmt: string, scroll: number, concurrency = 1, rowCount = 0, ...more: Argument[]) =>
  call(host, 'sp_cursoropen', out(null), text(stmt), out(scroll), out(concurrency), out(rowCount), ...more);

export const fetch = (host: Host, handle: number, type: number, row = 0, count = 2) =>
  call(host, 'sp_cursorfetch', n(handle), n(type), n(row), n(count));
