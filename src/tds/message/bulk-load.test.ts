import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, dialects, hex, throwsNumber, withstandsAnything } from '../../../test/support/tds.ts';
import { bigint, bit, image, int, nvarchar, smallint, uniqueidentifier, varbinary, varchar } from '../types/index.ts';
import { type Dialect, dialectOf, modern, tdsVersions } from '../version.ts';
import { BulkLoadParser, writeBulkLoad } from './index.ts';

const old = dialectOf(tdsVersions['7.1']);
const columns = [
  { name: 'id', type: int, nullable: false },
  { name: 'name', type: nvarchar(50), nullable: true },
  { name: 'long', type: nvarchar('max'), nullable: true },
  { name: 'blob', type: image, nullable: true },
  { name: 'data', type: varbinary(10), nullable: true },
  { name: 'key', type: uniqueidentifier, nullable: true },
  { name: 'flag', type: bit, nullable: true },
];
const rows: readonly unknown[][] = [
  [1, 'one', 'x'.repeat(5000), Buffer.of(1), Buffer.of(2), '00112233-4455-6677-8899-aabbccddeeff', true],
  [2, null, null, null, null, null, null],
  [3, '', '', Buffer.alloc(0), Buffer.alloc(0), null, false],
];

function load(
  bytes: Buffer,
  dialect: Dialect,
  chunkSize = bytes.length,
  declared: ConstructorParameters<typeof BulkLoadParser>[1] = [],
): { names: string[]; rows: unknown[][] } {
  const parser = new BulkLoadParser(dialect, declared);
  const read: unknown[][] = [];
  const drain = (): void => {
    for (let row = parser.next(); row !== undefined; row = parser.next()) read.push([...row]);
  };
  for (let at = 0; at < bytes.length; at += Math.max(1, chunkSize)) {
    parser.push(bytes.subarray(at, at + chunkSize));
    drain();
  }
  parser.end();
  drain();
  return { names: parser.columns.map(({ name }) => name), rows: read };
}

for (const [version, dialect] of dialects) {
  test(`MS-TDS 2.2.6.1: a bulk load of TDS ${version} is read, whatever the chunks`, () => {
    const bytes = bytesOf((out) => writeBulkLoad(out, columns, rows, dialect));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: bytes.length }), (chunkSize) => {
        const read = load(bytes, dialect, chunkSize);
        assert.deepEqual(read.names, ['id', 'name', 'long', 'blob', 'data', 'key', 'flag']);
        assert.deepEqual(read.rows, rows);
      }),
      { numRuns: 15 },
    );
  });
}

test('MS-TDS 2.2.6.1: the columns of a bulk load come once, so that no row is of other types than the first', () => {
  const once = bytesOf((out) => writeBulkLoad(out, columns.slice(0, 1), [[1]], modern));
  const twice = bytesOf((out) => writeBulkLoad(out, columns.slice(1, 2), [['x']], modern));
  throwsNumber(4002, () => load(Buffer.concat([once.subarray(0, -13), twice]), modern));
});

test('a bulk load without its DONE, as FreeTDS sends it, is complete', () => {
  const bytes = bytesOf((out) => writeBulkLoad(out, columns, rows, old));
  assert.deepEqual(load(bytes.subarray(0, bytes.length - 9), old).rows, rows);
});

test('MS-TDS 2.2.6.1: no rows are no rows', () => {
  assert.deepEqual(
    load(
      bytesOf((out) => writeBulkLoad(out, columns, [], modern)),
      modern,
    ).rows,
    [],
  );
});

test('text may be as long as INSERT BULK says: the JDBC driver says 0 in COLMETADATA', () => {
  const bytes = hex('81 0100 0000 0900 a7 0000 0904100000 00 d1 0300 6f6e65');
  throwsNumber(4815, () => load(bytes, old));
  assert.deepEqual(load(bytes, old, bytes.length, [{ type: varchar(50) }]).rows, [['one']]);
  throwsNumber(4815, () => load(bytes, old, bytes.length, [{ type: varchar(2) }]));
  throwsNumber(4815, () => load(bytes, old, bytes.length, [{ type: nvarchar(50) }]));
});

test('an odd number of bytes for nvarchar is 4815 with the column, an unknown type 4816', () => {
  const metadata = '81 0200 0000 0900 26 04 00 0000 0900 e7 0a00 0904100000 00';
  throwsNumber(4815, () => load(hex(`${metadata} d1 00 0300 6f6e65`), old));
  assert.throws(() => load(hex(`${metadata} d1 00 0300 6f6e65`), old), /colid 2\./);
  throwsNumber(4816, () => load(hex('81 0100 0000 0900 99 00'), old));
});

test('a bulk load that is none is refused clearly', () => {
  throwsNumber(4002, () => load(hex('d1 00'), modern));
  throwsNumber(4002, () => load(hex('77'), modern));
  throwsNumber(4002, () => load(hex('81 0100 00000000 0900 26 04 00 d2 01'), modern));
  throwsNumber(4002, () => load(hex('81 0000'), modern));
  throwsNumber(4002, () => load(hex('81 0100'), modern));
  const seed = bytesOf((out) => writeBulkLoad(out, columns, rows.slice(1), modern));
  withstandsAnything((bytes) => load(bytes, modern, 64), [seed], 700);
});

test('a row of tiny chunks that comes in tiny pieces costs about as much as its bytes', () => {
  const type = varbinary('max');
  const metadata = bytesOf((out) => writeBulkLoad(out, [{ name: 'a', type, nullable: true }], [], modern)).subarray(
    0,
    -13,
  );
  const unknownLength = hex('fe ff ff ff ff ff ff ff');
  const timed = (chunks: number): number => {
    const body = Array.from({ length: chunks }, () => Buffer.of(1, 0, 0, 0, 65));
    const bytes = Buffer.concat([metadata, Buffer.of(0xd1), unknownLength, ...body, Buffer.alloc(4)]);
    const before = process.threadCpuUsage();
    assert.deepEqual(load(bytes, modern, 5).rows, [[Buffer.alloc(chunks, 65)]]);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  timed(1000);
  const [few, many] = [timed(4000), timed(32_000)];
  assert.ok(many < 20 * few + 100, `${few} ms for 4,000 chunks, ${many} ms for 32,000`);
});

const plain = [
  { name: 'id', type: int, nullable: false },
  { name: 'small', type: smallint, nullable: true },
  { name: 'name', type: nvarchar(20), nullable: true },
  { name: 'big', type: bigint, nullable: true },
  { name: 'data', type: varbinary(10), nullable: true },
];

/** Rows of plain columns, taken as they lie where that is possible; or the number of the error that ends them. */
function loadRaw(bytes: Buffer, chunkSize: number, isRaw: boolean): { rows: unknown[][]; error: unknown } {
  const parser = new BulkLoadParser(modern);
  const rows: unknown[][] = [];
  const drain = (): void => {
    for (;;) {
      const raw = isRaw ? parser.nextRaw() : undefined;
      for (let row = 0; raw && row < raw.length; row++) {
        const cell = (at: number, decode: (value: Buffer) => unknown): unknown => {
          const [start = -1, length = 0] = raw.places.subarray((row * raw.columns + at) * 2);
          return start < 0 ? null : decode(Buffer.from(raw.bytes.subarray(start, start + length)));
        };
        rows.push([
          cell(0, (value) => value.readInt32LE()),
          cell(1, (value) => value.readInt16LE()),
          cell(2, (value) => value.toString('utf16le')),
          cell(3, (value) => value.readBigInt64LE()),
          cell(4, (value) => value),
        ]);
      }
      const row = parser.next();
      if (row === undefined) return;
      rows.push(row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)));
    }
  };
  try {
    for (let at = 0; at < bytes.length; at += chunkSize) {
      parser.push(bytes.subarray(at, at + chunkSize));
      drain();
    }
    parser.end();
    drain();
    return { rows, error: undefined };
  } catch (error) {
    return { rows, error: error instanceof Error && 'number' in error ? error.number : error };
  }
}

test('rows that are taken as they lie are those that are read value by value, whatever the chunks and the damage', () => {
  const row = fc.tuple(
    fc.integer({ min: -2147483648, max: 2147483647 }),
    fc.option(fc.integer({ min: -32768, max: 32767 })),
    fc.option(fc.string({ maxLength: 20 })),
    fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    fc.option(fc.uint8Array({ maxLength: 10 })),
  );
  const edit = fc.option(fc.tuple(fc.nat(), fc.nat({ max: 255 })));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.integer({ min: 1, max: 400 }), edit, (rows, chunkSize, damage) => {
      const bytes = bytesOf((out) => writeBulkLoad(out, plain, rows, modern));
      if (damage !== null) bytes[damage[0] % bytes.length] = damage[1];
      assert.deepEqual(loadRaw(bytes, chunkSize, true), loadRaw(bytes, chunkSize, false));
    }),
    { numRuns: 300 },
  );
});
