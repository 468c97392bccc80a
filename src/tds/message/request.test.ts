import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, dialects, hex, throwsNumber, withstandsAnything } from '../../../test/support/tds.ts';
import { bigint, date, datetime, int, ntext, nvarchar, sqlVariant, varbinary } from '../types/index.ts';
import { dialectOf, modern, tdsVersions } from '../version.ts';
import {
  type CallRequest,
  decodeRpc,
  decodeSqlBatch,
  decodeTransactionRequest,
  procedureIds,
  type TransactionAction,
  writeRpc,
  writeSqlBatch,
  writeTransactionRequest,
} from './index.ts';

const old = dialectOf(tdsVersions['7.1']);
const headers = { transaction: 0x1122334455667788n, outstandingRequests: 1 };

test('MS-TDS 2.2.6.7: a batch behind its headers is read byte for byte', () => {
  const bytes = hex(`16 00 00 00 12 00 00 00 02 00 00 00 00 00 00 00 00 01 00 00 00 00
    0A 00 73 00 65 00 6C 00 65 00 63 00 74 00 20 00 27 00 66 00 6F 00 6F 00 27 00`);
  const batch = decodeSqlBatch(bytes, modern);
  assert.equal(batch.text, "\nselect 'foo'");
  assert.equal(batch.headers.transaction, 0x0100000000000000n);
});

test('MS-TDS 2.2.6.7: a batch has headers from 7.2 on, and none before', () => {
  for (const [, dialect] of dialects) {
    const batch = decodeSqlBatch(
      bytesOf((out) => writeSqlBatch(out, 'select 1', dialect, headers)),
      dialect,
    );
    assert.equal(batch.text, 'select 1');
    assert.equal(batch.headers.transaction, dialect.atLeast72 ? headers.transaction : 0n);
  }
});

test('a batch whose client left the headers out is read as text', () => {
  assert.equal(decodeSqlBatch(Buffer.from('select 1', 'utf16le'), modern).text, 'select 1');
  assert.equal(decodeSqlBatch(Buffer.alloc(0), modern).text, '');
});

test('MS-TDS 2.2.5.3: headers of other kinds are passed over', () => {
  const bytes = hex('28000000 12000000 0100 000000000000000000000000 12000000 0200 0500000000000000 01000000 6100');
  assert.deepEqual(decodeSqlBatch(bytes, modern), { headers: { transaction: 5n, outstandingRequests: 1 }, text: 'a' });
});

test('a batch that ends within a character is 4002, and anything else is read', () => {
  throwsNumber(4002, () => decodeSqlBatch(hex('61'), modern));
  withstandsAnything((bytes) => decodeSqlBatch(bytes, modern), [bytesOf((out) => writeSqlBatch(out, 'x', modern))]);
});

test('MS-TDS 4.8: the RPC of the specification is read', () => {
  const bytes = hex(`16 00 00 00 12 00 00 00 02 00 00 00 00 00 00 00 00 01 00 00 00 00
    04 00 66 00 6F 00 6F 00 33 00 00 00 00 02 26 02 00`);
  const { calls } = decodeRpc(bytes, modern);
  assert.equal(calls.length, 1);
  assert.equal(calls[0]?.procedure, 'foo3');
  const [param] = calls[0]?.params ?? [];
  assert.equal(param?.type.declaration, 'smallint');
  assert.deepEqual([param?.name, param?.value, param?.byRef, param?.useDefault], ['', null, false, true]);
});

const calls: readonly CallRequest[] = [
  {
    procedure: 'proc_One',
    withRecompile: true,
    params: [
      { name: '@Id', type: bigint, value: 5n },
      { name: '@Out', type: int, value: null, byRef: true },
      { type: nvarchar('max'), value: 'text' },
      { type: ntext, value: 'old text' },
      { type: datetime, value: new Date('2024-01-15T10:30:00Z') },
      { type: varbinary('max'), value: null },
      { name: '@Default', type: int, value: null, useDefault: true },
    ],
  },
  { procedure: procedureIds.sp_executesql, noMetadata: true, params: [{ type: nvarchar(20), value: 'select 1' }] },
  { procedure: 'proc_Three' },
];

for (const [version, dialect] of dialects) {
  test(`MS-TDS 2.2.6.6: several calls in one request of TDS ${version} come back`, () => {
    const read = decodeRpc(
      bytesOf((out) => writeRpc(out, calls, dialect, headers)),
      dialect,
    );
    assert.deepEqual(
      read.calls.map(({ procedure }) => procedure),
      ['proc_One', 10, 'proc_Three'],
    );
    assert.deepEqual(
      read.calls.map(({ noMetadata }) => noMetadata),
      [false, true, false],
    );
    assert.equal(read.calls[0]?.withRecompile, true);
    const first = read.calls[0]?.params ?? [];
    assert.deepEqual(
      first.map(({ name }) => name),
      ['@Id', '@Out', '', '', '', '', '@Default'],
    );
    assert.deepEqual(
      first.map(({ value }) => value),
      [5n, null, 'text', 'old text', new Date('2024-01-15T10:30:00Z'), null, null],
    );
    assert.deepEqual(
      first.map(({ byRef }) => byRef),
      [false, true, false, false, false, false, false],
    );
    assert.equal(first[6]?.useDefault, true);
  });
}

test('MS-TDS 2.2.6.6: a call with NoExecFlag behind it is marked, and a trailing separator ends nothing', () => {
  const bytes = bytesOf((out) => {
    writeRpc(out, [{ procedure: 'a', noExec: true }, { procedure: 'b' }], modern);
    out.u8(0xff);
  });
  assert.deepEqual(
    decodeRpc(bytes, modern).calls.map(({ procedure, noExec }) => [procedure, noExec]),
    [
      ['a', true],
      ['b', false],
    ],
  );
});

test('a name of 128 characters is a name from 7.2 on', () => {
  const name = `@${'x'.repeat(127)}`;
  const bytes = bytesOf((out) => writeRpc(out, [{ procedure: 'p', params: [{ name, type: int, value: 1 }] }], modern));
  assert.equal(decodeRpc(bytes, modern).calls[0]?.params[0]?.name, name);
});

test('errors name the parameter that is wrong', () => {
  const bytes = bytesOf((out) =>
    writeRpc(out, [{ procedure: 'p', params: [{ name: '@a', type: int, value: 1 }] }], old),
  );
  const unknown = Buffer.concat([bytes, hex('02 40006200 00 99')]);
  throwsNumber(8009, () => decodeRpc(unknown, old));
  assert.throws(() => decodeRpc(unknown, old), /Parameter 2 \("@b"\): Data type 0x99 is unknown/);
  const odd = Buffer.concat([bytes, hex('02 40006200 00 e7 0a00 0904100000 0300 616263')]);
  throwsNumber(8028, () => decodeRpc(odd, old));
  assert.throws(() => decodeRpc(odd, old), /Parameter 2 \("@b"\)/);
});

test('a call without a name is 8004, and one with more than 2100 parameters 8003', () => {
  throwsNumber(8004, () => decodeRpc(hex('0000 0000'), old));
  const many = Array.from({ length: 2101 }, () => ({ type: int, value: 1 }));
  throwsNumber(8003, () =>
    decodeRpc(
      bytesOf((out) => writeRpc(out, [{ procedure: 'p', params: many }], old)),
      old,
    ),
  );
});

test('text, ntext and image as output parameters are 8018', () => {
  const bytes = bytesOf((out) =>
    writeRpc(out, [{ procedure: 'p', params: [{ name: '@t', type: ntext, value: 'x', byRef: true }] }], modern),
  );
  throwsNumber(8018, () => decodeRpc(bytes, modern));
});

test('encrypted parameters are refused', () => {
  throwsNumber(4002, () => decodeRpc(hex('0100 7000 0000 00 08 38 01000000'), old));
});

test('any RPC, however wrong, is read or refused clearly', () => {
  const variant = { type: sqlVariant, value: { type: date, value: new Date('2024-01-01T00:00:00Z') } };
  const all = [...calls, { procedure: 'v', params: [variant] }];
  const seed = bytesOf((out) => writeRpc(out, all, modern));
  withstandsAnything((bytes) => decodeRpc(bytes, modern), [seed], 1500);
  withstandsAnything((bytes) => decodeRpc(bytes, old), [bytesOf((out) => writeRpc(out, calls, old))], 700);
});

const actions: readonly TransactionAction[] = [
  { kind: 'dtcAddress' },
  { kind: 'propagate', buffer: Buffer.of(1, 2) },
  { kind: 'begin', isolation: 'serializable', name: 'tran' },
  { kind: 'promote' },
  { kind: 'commit', name: '', thenBegin: undefined },
  { kind: 'commit', name: 'tran', thenBegin: { isolation: 'snapshot', name: 'next' } },
  { kind: 'rollback', name: 'save', thenBegin: undefined },
  { kind: 'save', name: 'save' },
];

test('MS-TDS 2.2.6.9: every transaction request comes back', () => {
  for (const action of actions) {
    const bytes = bytesOf((out) => writeTransactionRequest(out, action, modern, headers));
    assert.deepEqual(decodeTransactionRequest(bytes, modern), { headers, action });
  }
});

test('MS-TDS 2.2.6.9: a commit that begins anew, as tdsodbc sends it', () => {
  assert.deepEqual(decodeTransactionRequest(hex('0700 00 01 00 00'), old).action, {
    kind: 'commit',
    name: '',
    thenBegin: { isolation: 'unchanged', name: '' },
  });
});

test('malformed transaction requests are refused clearly', () => {
  throwsNumber(4002, () => decodeTransactionRequest(hex('6300'), old));
  throwsNumber(4002, () => decodeTransactionRequest(hex('0500 09 00'), old));
  throwsNumber(4002, () => decodeTransactionRequest(hex('0500'), old));
  throwsNumber(8028, () => decodeTransactionRequest(hex('0900 03 616263'), old));
  const seeds = actions.map((action) => bytesOf((out) => writeTransactionRequest(out, action, modern)));
  withstandsAnything((bytes) => decodeTransactionRequest(bytes, modern), seeds, 150);
});
