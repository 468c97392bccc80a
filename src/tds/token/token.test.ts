import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, dialects, hex, throwsNumber, withstandsAnything } from '../../../test/support/tds.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { PacketParser } from '../packet/index.ts';
import { MessageWriter } from '../packet/message-writer.ts';
import * as t from '../types/index.ts';
import { type Dialect, dialectOf, modern, tdsVersions } from '../version.ts';
import {
  type ColumnInfo,
  columnStatus,
  currentCommand,
  doneStatus,
  resultWriter,
  type Token,
  TokenParser,
  writeColInfo,
  writeColMetadata,
  writeDone,
  writeEnvChange,
  writeFeatureExtAck,
  writeLoginAck,
  writeOrder,
  writeReturnStatus,
  writeReturnValue,
  writeServerMessage,
  writeTabName,
} from './index.ts';

const old = dialectOf(tdsVersions['7.1']);

function tokensOf(bytes: Buffer, dialect: Dialect = modern, chunkSize = bytes.length): Token[] {
  const parser = new TokenParser(dialect);
  const tokens: Token[] = [];
  const drain = (): void => {
    for (let token = parser.next(); token !== undefined; token = parser.next()) tokens.push(token);
  };
  for (let at = 0; at < bytes.length; at += Math.max(1, chunkSize)) {
    parser.push(bytes.subarray(at, at + chunkSize));
    drain();
  }
  parser.end();
  drain();
  return tokens;
}

const message = {
  number: 2812,
  state: 62,
  severity: 16,
  text: 'Could not find',
  server: 'srv',
  procedure: '',
  line: 70000,
};

test('MS-TDS 2.2.7.6: DONE has a count of 64 bits from 7.2 on, of 32 before', () => {
  const done = { status: doneStatus.count | doneStatus.more, command: currentCommand.select, count: 5 };
  assert.deepEqual(
    bytesOf((out) => writeDone(out, 'done', done, modern)),
    hex('fd 1100 c100 0500000000000000'),
  );
  assert.deepEqual(
    bytesOf((out) => writeDone(out, 'doneProc', done, old)),
    hex('fe 1100 c100 05000000'),
  );
  assert.deepEqual(
    bytesOf((out) => writeDone(out, 'doneInProc', {}, old)),
    hex('ff 0000 0000 00000000'),
  );
  const large = bytesOf((out) => writeDone(out, 'done', { count: 2 ** 40 + 1 }, modern));
  assert.partialDeepStrictEqual(tokensOf(large), [{ token: 'done', count: 2 ** 40 + 1 }]);
});

test('MS-TDS 2.2.7.18: RETURNSTATUS is a signed number', () => {
  assert.deepEqual(
    bytesOf((out) => writeReturnStatus(out, -6)),
    hex('79 faffffff'),
  );
});

test('MS-TDS 2.2.7.19: RETURNVALUE carries the ordinal from 7.2 on, and its own length before', () => {
  const value = { ordinal: 3, name: '', type: t.int, value: 7 };
  assert.deepEqual(
    bytesOf((out) => writeReturnValue(out, value, modern)),
    hex('ac 0300 00 01 00000000 0100 26 04 04 07000000'),
  );
  assert.deepEqual(
    bytesOf((out) => writeReturnValue(out, value, old)),
    hex('ac 0d00 00 01 0000 0100 26 04 04 07000000'),
  );
});

test('MS-TDS 2.2.7.10: an ERROR has a line of 32 bits from 7.2 on, of 16 before', () => {
  const short = { ...message, text: 'E', server: 's', procedure: 'p', line: 2 };
  assert.deepEqual(
    bytesOf((out) => writeServerMessage(out, short, modern)),
    hex('aa 1400 fc0a0000 3e 10 0100 4500 01 7300 01 7000 02000000'),
  );
  assert.deepEqual(
    bytesOf((out) => writeServerMessage(out, short, old)),
    hex('aa 1200 fc0a0000 3e 10 0100 4500 01 7300 01 7000 0200'),
  );
});

test('MS-TDS 2.2.7.13: a message of severity 10 or less is INFO', () => {
  assert.equal(bytesOf((out) => writeServerMessage(out, { ...message, severity: 10 }, modern))[0], 0xab);
  assert.equal(bytesOf((out) => writeServerMessage(out, { ...message, severity: 11 }, modern))[0], 0xaa);
});

test('a message too long for its token is cut', () => {
  const bytes = bytesOf((out) => writeServerMessage(out, { ...message, text: 'x'.repeat(100_000) }, modern));
  const [token] = tokensOf(bytes);
  assert.equal(token?.token === 'error' && token.text.length, 30_000);
});

test('MS-TDS 2.2.7.9: ENVCHANGE, byte for byte', () => {
  const bytes = (change: Parameters<typeof writeEnvChange>[1]): Buffer => bytesOf((out) => writeEnvChange(out, change));
  assert.deepEqual(bytes({ kind: 'database', now: 'a', before: '' }), hex('e3 0500 01 01 6100 00'));
  assert.deepEqual(bytes({ kind: 'packetSize', now: '8', before: '4' }), hex('e3 0700 04 01 3800 01 3400'));
  const collation = hex('0904100000');
  assert.deepEqual(
    bytes({ kind: 'collation', now: collation, before: Buffer.alloc(0) }),
    hex('e3 0800 07 05 0904100000 00'),
  );
  assert.deepEqual(bytes({ kind: 'begin', transaction: 5n }), hex('e3 0b00 08 08 0500000000000000 00'));
  assert.deepEqual(bytes({ kind: 'commit', transaction: 5n }), hex('e3 0b00 09 00 08 0500000000000000'));
  assert.deepEqual(bytes({ kind: 'rollback', transaction: 5n }), hex('e3 0b00 0a 00 08 0500000000000000'));
  assert.deepEqual(bytes({ kind: 'reset' }), hex('e3 0300 12 00 00'));
});

test('MS-TDS 2.2.7.14: LOGINACK has its version big-endian', () => {
  const ack = { tdsVersion: 0x74000004, program: 'G', version: { major: 16, minor: 0, build: 1000 } };
  assert.deepEqual(
    bytesOf((out) => writeLoginAck(out, ack)),
    hex('ad 0c00 01 74000004 01 4700 10 00 03e8'),
  );
});

test('MS-TDS 2.2.7.4: COLMETADATA has a user type of 32 bits from 7.2 on, of 16 before', () => {
  const columns = [{ name: 'a', type: t.int, nullable: true }];
  assert.deepEqual(
    bytesOf((out) => writeColMetadata(out, columns, modern)),
    hex('81 0100 00000000 0900 26 04 01 6100'),
  );
  assert.deepEqual(
    bytesOf((out) => writeColMetadata(out, columns, old)),
    hex('81 0100 0000 0900 26 04 01 6100'),
  );
});

test('MS-TDS 2.2.7.4: text, ntext and image name their table, in parts from 7.2 on', () => {
  const columns = [{ name: 'a', type: t.image, nullable: false, table: ['dbo', 't'] }];
  assert.deepEqual(
    bytesOf((out) => writeColMetadata(out, columns, modern)),
    hex('81 0100 00000000 0800 22 ffffff7f 02 0300 640062006f00 0100 7400 01 6100'),
  );
  assert.deepEqual(
    bytesOf((out) => writeColMetadata(out, columns, old)),
    hex('81 0100 0000 0800 22 ffffff7f 0500 640062006f002e007400 01 6100'),
  );
});

test('MS-TDS 2.2.7.4: a row version is known by its user type 0x50', () => {
  const columns = [{ name: 'v', type: t.rowversion, nullable: false }];
  const bytes = bytesOf((out) => {
    const writer = resultWriter(columns, modern);
    writer.writeMetadata(out);
    writer.writeRow(out, [258n]);
  });
  assert.equal(bytes.readUInt32LE(3), 0x50);
  assert.deepEqual(tokensOf(bytes).at(-1), { token: 'row', values: [258n] });
});

const wide: readonly ColumnInfo[] = Array.from({ length: 9 }, (_, index) => ({
  name: `c${index}`,
  type: t.int,
  nullable: true,
}));

test('MS-TDS 2.2.7.15: a row with many NULLs is NBCROW for a 7.4 client, and ROW for an older one', () => {
  const values = [1, ...Array.from({ length: 8 }, () => null)];
  assert.deepEqual(
    bytesOf((out) => resultWriter(wide, modern).writeRow(out, values)),
    hex('d2 fe 01 04 01000000'),
  );
  assert.equal(bytesOf((out) => resultWriter(wide, old).writeRow(out, values))[0], 0xd1);
  const few = [null, 2, 3, 4, 5, 6, 7, 8, null];
  assert.equal(bytesOf((out) => resultWriter(wide, modern).writeRow(out, few))[0], 0xd1);
});

test('NBCROW and ROW are read back alike', () => {
  const rows = [
    [1, null, null, null, null, null, null, null, 9],
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    Array.from({ length: 9 }, () => null),
  ];
  const bytes = bytesOf((out) => {
    resultWriter(wide, modern).writeMetadata(out);
    for (const row of rows) resultWriter(wide, modern).writeRow(out, row);
  });
  assert.deepEqual(
    tokensOf(bytes).slice(1),
    rows.map((values) => ({ token: 'row', values })),
  );
});

test('the writer of a declared result set is made once a dialect', () => {
  assert.equal(resultWriter(wide, modern), resultWriter(wide, dialectOf(tdsVersions['7.4'])));
  assert.notEqual(resultWriter(wide, modern), resultWriter(wide, old));
});

test('a value that cannot be written leaves nothing of its row behind', () => {
  const columns = [wide[0], { name: 'v', type: t.sqlVariant, nullable: true }].filter((column) => column !== undefined);
  const bytes = bytesOf((out) => {
    out.u8(1);
    throwsNumber(206, () => resultWriter(columns, modern).writeRow(out, [1, { type: t.xml, value: '<a/>' }]));
  });
  assert.deepEqual(bytes, Buffer.of(1));
});

const told = [
  { column: 1, table: 1, status: columnStatus.key | columnStatus.differentName, name: 'JobId' },
  { column: 2, table: 0, status: columnStatus.expression | columnStatus.hidden },
];

/** One of everything, as a server might answer. */
function writeEverything(out: ByteWriter, dialect: Dialect): void {
  writeEnvChange(out, { kind: 'database', now: 'Config', before: 'master' });
  writeEnvChange(out, { kind: 'collation', now: hex('0904100000'), before: Buffer.alloc(0) });
  writeEnvChange(out, { kind: 'begin', transaction: 7n });
  writeEnvChange(out, { kind: 'commit', transaction: 7n });
  writeEnvChange(out, { kind: 'reset' });
  writeLoginAck(out, { tdsVersion: 0x74000004, program: 'Granary', version: { major: 16, minor: 0, build: 1 } });
  writeFeatureExtAck(out, [{ id: 0x0a, data: Buffer.of(1) }]);
  const columns = [
    { name: 'id', type: t.bigint, nullable: false },
    { name: 'text', type: t.ntext, nullable: true },
    { name: 'max', type: t.nvarchar('max'), nullable: true },
  ];
  const writer = resultWriter(columns, dialect);
  writer.writeMetadata(out);
  writeTabName(out, [['tempdb', '', 'jobs'], ['#items']], dialect);
  writeColInfo(out, told);
  writeOrder(out, [1, 2]);
  writer.writeRow(out, [1n, 'old', 'new']);
  writer.writeRow(out, [2n, null, null]);
  writeDone(out, 'doneInProc', { status: 0x11, command: 0xc1, count: 2 }, dialect);
  writeReturnStatus(out, 0);
  writeReturnValue(out, { ordinal: 1, name: '@Out', type: t.nvarchar(10), value: 'out' }, dialect);
  writeServerMessage(out, message, dialect);
  writeDone(out, 'doneProc', { status: doneStatus.error }, dialect);
}

for (const [version, dialect] of dialects) {
  test(`an answer of TDS ${version} is read back token by token, whatever the chunks`, () => {
    const bytes = bytesOf((out) => writeEverything(out, dialect));
    const tokens = tokensOf(bytes, dialect);
    assert.deepEqual(
      tokens.map(({ token }) => token),
      [
        ...['envChange', 'envChange', 'envChange', 'envChange', 'envChange', 'loginAck', 'features'],
        ...['columns', 'tableNames', 'columnStatus', 'order', 'row', 'row'],
        ...['doneInProc', 'returnStatus', 'returnValue', 'error', 'doneProc'],
      ],
    );
    const names = dialect.atLeast71 ? [['tempdb', '', 'jobs'], ['#items']] : [['tempdb..jobs'], ['#items']];
    assert.deepEqual(tokens[8], { token: 'tableNames', tables: names });
    assert.deepEqual(tokens[9], { token: 'columnStatus', columns: told });
    assert.deepEqual(tokens[11], { token: 'row', values: [1n, 'old', 'new'] });
    assert.deepEqual(tokens[12], { token: 'row', values: [2n, null, null] });
    assert.partialDeepStrictEqual(tokens[15], { name: '@Out', value: 'out' });
    assert.partialDeepStrictEqual(tokens[16], { number: 2812, severity: 16, state: 62, text: 'Could not find' });
    const shape = (list: Token[]): string[] => list.map(({ token }) => token);
    for (const size of [1, 7, 100]) assert.deepEqual(shape(tokensOf(bytes, dialect, size)), shape(tokens));
  });
}

test('any answer, however wrong, is read or refused clearly', () => {
  withstandsAnything((bytes) => tokensOf(bytes, modern), [bytesOf((out) => writeEverything(out, modern))], 1000);
  withstandsAnything((bytes) => tokensOf(bytes, old), [bytesOf((out) => writeEverything(out, old))], 500);
  throwsNumber(4002, () => tokensOf(hex('77')));
});

const streamed = [
  { name: 'id', type: t.int, nullable: false },
  { name: 'file', type: t.imageStream, nullable: true },
  { name: 'after', type: t.int, nullable: false },
];

function streamOfPieces(pieceSize: number, count: number, announced = pieceSize * count): t.ByteStream {
  return {
    length: announced,
    async *chunks() {
      for (let index = 0; index < count; index++) yield Buffer.alloc(pieceSize, index);
    },
  };
}

test('a streamed value reads back as an image, and NULL as NULL', async () => {
  const writer = resultWriter(streamed, modern);
  assert.equal(writer.isStreamed([1, null, 2]), true);
  const message = new MessageWriter(4096);
  const sent: Buffer[] = [];
  const flush = (): void => {
    const packets = message.flush();
    if (packets !== undefined) sent.push(packets);
  };
  writer.writeMetadata(message.out);
  await writer.streamRow(message.out, [1, streamOfPieces(10_000, 5), 2], flush);
  await writer.streamRow(message.out, [3, null, 4], flush);
  sent.push(message.end());
  const parser = new PacketParser();
  const tokens = new TokenParser(modern);
  for (const bytes of sent) parser.push(bytes);
  for (let packet = parser.next(); packet !== undefined; packet = parser.next()) tokens.push(packet.payload);
  tokens.end();
  tokens.next();
  const whole = Buffer.concat([0, 1, 2, 3, 4].map((byte) => Buffer.alloc(10_000, byte)));
  assert.deepEqual(tokens.next(), { token: 'row', values: [1, whole, 2] });
  assert.deepEqual(tokens.next(), { token: 'row', values: [3, null, 4] });
});

test('a streamed value of 256 MB never sits in memory', async () => {
  const message = new MessageWriter(8000);
  let total = 0;
  let most = 0;
  const piece = Buffer.alloc(64 * 1024);
  const stream: t.ByteStream = {
    length: piece.length * 4096,
    async *chunks() {
      for (let index = 0; index < 4096; index++) yield piece;
    },
  };
  await resultWriter(streamed, modern).streamRow(message.out, [1, stream, 2], () => {
    total += message.flush()?.length ?? 0;
    most = Math.max(most, message.pending);
  });
  assert.ok(total > stream.length);
  assert.ok(most < 8000, `${most} bytes waited`);
});

test('the producer of a streamed value waits for a slow client', async () => {
  const steps: string[] = [];
  const stream: t.ByteStream = {
    length: 2,
    async *chunks() {
      steps.push('first');
      yield Buffer.of(1);
      steps.push('second');
      yield Buffer.of(2);
    },
  };
  await resultWriter(streamed, modern).streamRow(new MessageWriter(4096).out, [1, stream, 2], async () => {
    await Promise.resolve();
    steps.push('drained');
  });
  assert.deepEqual(steps, ['first', 'drained', 'second', 'drained']);
});

test('a streamed value that fails half-way is filled up, so that the tokens behind it can be read', async () => {
  const failing: t.ByteStream = {
    length: 100_000,
    async *chunks() {
      yield Buffer.alloc(10, 7);
      throw new Error('the disk is gone');
    },
  };
  const cases: [t.ByteStream, RegExp, number][] = [
    [failing, /the disk is gone/, 10],
    [streamOfPieces(5, 2, 9), /longer than the 9 bytes/, 5],
    [streamOfPieces(5, 2, 11), /1 bytes shorter than the 11/, 10],
  ];
  for (const [stream, message, kept] of cases) {
    const writer = resultWriter(streamed, modern);
    const { out } = new MessageWriter(4096);
    out.take();
    writer.writeMetadata(out);
    await assert.rejects(
      writer.streamRow(out, [1, stream, 2], () => {}),
      message,
    );
    writeDone(out, 'done', { status: 2 }, modern);
    const tokens = new TokenParser(modern);
    tokens.push(out.take());
    tokens.end();
    tokens.next();
    const row = tokens.next();
    assert.ok(row?.token === 'row');
    const [first, value, last] = row.values;
    assert.ok(value instanceof Uint8Array);
    assert.deepEqual([first, value.length, last], [1, stream.length, 0]);
    assert.ok(value.subarray(kept).every((byte) => byte === 0));
    assert.equal(tokens.next()?.token, 'done');
  }
});
