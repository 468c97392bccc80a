import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseObjectName } from './object-name.ts';

const cases: readonly [string, ReturnType<typeof parseObjectName>][] = [
  ['proc_AddJob', { name: 'proc_AddJob' }],
  ['dbo.proc_AddJob;1', { schema: 'dbo', name: 'proc_AddJob' }],
  ['[dbo].[proc_AddJob]', { schema: 'dbo', name: 'proc_AddJob' }],
  ['Db..proc_AddJob', { database: 'Db', name: 'proc_AddJob' }],
  ['..sp_tables', { name: 'sp_tables' }],
  ['[a.b].[c]]d].[e]', { database: 'a.b', schema: 'c]d', name: 'e' }],
  ['"a""b"."c"', { schema: 'a"b', name: 'c' }],
  [' dbo . proc_AddJob ', { schema: 'dbo', name: 'proc_AddJob' }],
  ['server.db.dbo.p', undefined],
  ['', undefined],
  ['dbo.', undefined],
  ['[open', undefined],
  [' [dbo] . "proc AddJob" ', { schema: 'dbo', name: 'proc AddJob' }],
  [' [dbo] x', undefined],
  ['x [dbo]', undefined],
];

for (const [text, expected] of cases) {
  test(`the name ${JSON.stringify(text)}`, () => assert.deepEqual(parseObjectName(text), expected));
}
