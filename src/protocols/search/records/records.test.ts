import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SqlError } from '../../../base/messages/sql-error.ts';
import { Turn } from '../../../base/threads/turn.ts';
import * as records from './index.ts';
import type { Fields, Layout, RecordValue } from './layout.ts';

const { pack, unpack } = records;
const layouts: readonly Layout<Fields>[] = [
  records.anchorAdd,
  records.docPropsAdd,
  records.docPropsDelete,
  records.docPropsDeleteWithHash,
  records.docResults,
  records.docResultsAnchor,
  records.docSdIds,
  records.docSdIdsIn60,
  records.alertHistory,
  records.definitions,
  records.transactionCommit,
  records.documentId,
];

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** Numbers from 0 to 2^32 - 1 in an order that the seed decides (mulberry32). */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** A value for a field, told from how many bytes it takes and what it reads out of zeros. */
function valueFor(field: Fields[string], next: () => number): unknown {
  if ('unused' in field) return undefined;
  const empty = field.read(new DataView(new ArrayBuffer(field.size)), 0, { text: '', bytes: new Uint8Array(0) });
  if (empty === null) return next() % 3 === 0 ? null : streamValue(field, next);
  if (typeof empty === 'bigint') return BigInt.asIntN(64, (BigInt(next()) << 32n) | BigInt(next()));
  if (empty instanceof Uint8Array) return Uint8Array.from(empty, () => next() & 0xff);
  const bits = 8 * field.size;
  return bits === 8 ? next() & 0xff : Number(BigInt.asIntN(bits, BigInt(next())));
}

function streamValue(field: Fields[string], next: () => number): unknown {
  const isText = field.size === 6 || !('write' in field) || writesText(field);
  const length = 1 + (next() % 40);
  if (!isText) return Uint8Array.from({ length }, () => next() & 0xff);
  return Array.from({ length }, () => (next() % 5 === 0 ? '𝄞' : String.fromCharCode(32 + (next() % 2000)))).join('');
}

function writesText(field: Fields[string]): boolean {
  if (!('write' in field)) return false;
  let text = false;
  const streams = {
    text() {
      text = true;
      return 0;
    },
    bytes: () => 0,
  };
  field.write(new DataView(new ArrayBuffer(field.size)), 0, 'x', streams);
  return text;
}

const someOf = (kind: Layout<Fields>, next: () => number): RecordValue<Fields> =>
  Object.fromEntries(
    Object.entries(kind.fields)
      .filter(([, field]) => !('unused' in field))
      .map(([name, field]) => [name, valueFor(field, next)]),
  );

const plain = (values: readonly object[]) =>
  values.map((value) =>
    Object.entries(value).map(([name, field]) => [name, field instanceof Uint8Array ? Buffer.from(field) : field]),
  );

const broken = (pattern: RegExp) => (error: unknown) =>
  error instanceof SqlError && error.number === 50000 && pattern.test(error.message);

describe('2.2.3 the lengths of the records are those that the structures state', () => {
  const stated: readonly (readonly [Layout<Fields>, number])[] = [
    [records.anchorAdd, 12],
    [records.docPropsAdd, 32],
    [records.docPropsDelete, 8],
    [records.docPropsDeleteWithHash, 17],
    [records.docResults, 122],
    [records.docResultsAnchor, 10],
    [records.docSdIds, 61],
    [records.docSdIdsIn60, 60],
    [records.alertHistory, 32],
    [records.definitions, 28],
    [records.transactionCommit, 245],
  ];
  for (const [kind, length] of stated) {
    test(`${kind.section} ${kind.name} takes ${length} bytes`, () => {
      const sum = Object.values(kind.fields).reduce((total, field) => total + field.size, 0);
      assert.equal(kind.length, length);
      assert.equal(sum, length);
    });
  }
});

describe('2.2.3 what is packed comes back', () => {
  for (const kind of layouts) {
    test(`${kind.section} ${kind.name}`, async (context) => {
      context.diagnostic(`SEED=${seed}`);
      const next = numbersFrom(seed);
      for (let round = 0; round < 50; round++) {
        const values = Array.from({ length: next() % 6 }, () => someOf(kind, next));
        const packed = pack(kind, values);
        assert.equal(packed.records.length, values.length * kind.length);
        assert.deepEqual(plain(unpack(kind, packed)), plain(values));
        assert.deepEqual(plain(await records.unpackInTurns(kind, packed, new Turn())), plain(values));
      }
    });
  }
});

test('2.2.3.3 integers are big-endian and offsets count characters from 0', () => {
  const { records: blob, text } = pack(records.docPropsAdd, [
    { DocId: 1, Pid: 2, llVal: 3n, strVal: '𝄞a', strVal2: 'bc' },
  ]);
  assert.equal(text, '𝄞abc');
  assert.equal(
    Buffer.from(blob).toString('hex'),
    '000000010000000200000000000000030000000000000003' + '0000000300000002',
  );
});

describe('2.2.3 a blob that lies is refused', () => {
  const one = pack(records.docPropsAdd, [{ DocId: 1, Pid: 2, llVal: 3n, strVal: 'text', strVal2: null }]);
  const changed = (at: number, value: number) => {
    const blob = Uint8Array.from(one.records);
    new DataView(blob.buffer).setInt32(at, value);
    return { ...one, records: blob };
  };
  const lies = {
    'more rows than records': { ...one, rows: 2 },
    'fewer rows than records': { ...one, records: Buffer.concat([one.records, one.records]) },
    'a record that is cut': { ...one, records: one.records.subarray(0, 31) },
    'no blob at all': { ...one, records: null },
    'rows that are NULL': { ...one, rows: null },
    'rows below zero': { ...one, rows: -1 },
    'an offset below zero': changed(16, -1),
    'an offset behind the stream': changed(16, 1),
    'a length below zero': changed(20, -4),
    'a length past the end of the stream': changed(20, 5),
    'an offset and a length that overflow together': changed(16, 0x7fffffff),
    'a stream that is not there': { ...one, text: null },
  };
  for (const [lie, packed] of Object.entries(lies)) {
    test(lie, () =>
      assert.throws(() => unpack(records.docPropsAdd, packed), broken(/^DocProps Add Record \(2\.2\.3\.3\)/)),
    );
  }
  test('a 2-byte length above 32767', () => {
    const sent = pack(records.docResultsAnchor, [{ DocId: 1, popularSocialTags: 'x'.repeat(0x8000) }]);
    assert.throws(() => unpack(records.docResultsAnchor, sent), broken(/its length is -32768/));
  });
  test('without rows the blob is ignored', () => {
    assert.deepEqual(unpack(records.docPropsAdd, { ...one, rows: 0 }), []);
  });
  test('the offset of a value of length 0 is ignored', () => {
    const empty = pack(records.docPropsAdd, [{ DocId: 1, Pid: 2, llVal: 3n, strVal: null, strVal2: null }]);
    new DataView(empty.records.buffer).setInt32(16, -7);
    assert.equal(unpack(records.docPropsAdd, empty)[0]?.strVal, null);
  });
});

describe('2.2.3.13 and 2.2.3.14 the length of the blob tells which DocSdIds records it holds', () => {
  const value = {
    DocId: 7,
    sdid: 8,
    type: 1,
    hasPluggableSecurity: 1,
    duplicateAction: 1,
    duplicateHashes: new Uint8Array(48).fill(9),
  };
  for (const kind of [records.docSdIds, records.docSdIdsIn60]) {
    test(`${kind.length} bytes a record`, async () => {
      const packed = pack<Fields>(kind, [value, { ...value, DocId: 9 }]);
      assert.deepEqual(plain(await records.unpackDocSdIds(packed, new Turn())), plain([value, { ...value, DocId: 9 }]));
    });
  }
  test('any other length is refused', async () => {
    const packed = { rows: 2, records: new Uint8Array(121) };
    await assert.rejects(records.unpackDocSdIds(packed, new Turn()), broken(/121 bytes/));
  });
});
