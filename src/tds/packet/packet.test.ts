import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { hex, survives, throwsNumber } from '../../../test/support/tds.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import {
  clampPacketSize,
  HandshakeFlight,
  type Message,
  MessageAssembler,
  MessageWriter,
  type Packet,
  PacketParser,
  packetize,
  packetStatus,
  packetTypes,
} from './index.ts';

function parse(bytes: Buffer, chunkSize = bytes.length): Packet[] {
  const parser = new PacketParser();
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(1, chunkSize)) {
    parser.push(bytes.subarray(at, at + chunkSize));
    for (let packet = parser.next(); packet !== undefined; packet = parser.next()) packets.push(packet);
  }
  assert.equal(parser.hasPartial, false);
  return packets;
}

function assemble(packets: readonly Packet[], limit = 1e9): Message[] {
  const assembler = new MessageAssembler(limit);
  return packets.map((packet) => assembler.add(packet)).filter((message) => message !== undefined);
}

const rpc = { type: packetTypes.rpc, packetSize: 512 };

test('MS-TDS 2.2.3.1: the header is type, status, length and SPID big-endian, id and window', () => {
  const bytes = packetize(Buffer.of(0xaa), { type: packetTypes.reply, packetSize: 4096, spid: 0x1234 });
  assert.deepEqual(bytes, hex('04 01 0009 1234 01 00 aa'));
  assert.deepEqual(parse(bytes), [{ type: 4, status: 1, spid: 0x1234, id: 1, payload: Buffer.of(0xaa) }]);
});

test('a message of any length comes back whole, whatever the packet size and the chunks', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 512, max: 2000 }),
      fc.integer({ min: 1, max: 3000 }),
      (length, packetSize, chunkSize) => {
        const payload = Buffer.from(Array.from({ length }, (_, index) => index % 251));
        const packets = parse(packetize(payload, { type: packetTypes.rpc, packetSize }), chunkSize);
        const [message, ...others] = assemble(packets);
        assert.deepEqual(message?.payload, payload);
        assert.equal(others.length, 0);
        for (const [index, packet] of packets.entries()) {
          assert.equal(packet.id, (index + 1) % 256);
          assert.equal(packet.status, index === packets.length - 1 ? packetStatus.endOfMessage : 0);
          assert.ok(index === packets.length - 1 || packet.payload.length === packetSize - 8);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('the last packet of a message is never empty when the payload fills packets exactly', () => {
  const packets = parse(packetize(Buffer.alloc(504 * 3), rpc));
  assert.deepEqual(
    packets.map(({ payload }) => payload.length),
    [504, 504, 504],
  );
});

test('packet ids wrap after 255', () => {
  const packets = parse(packetize(Buffer.alloc(504 * 300), rpc));
  assert.deepEqual([packets[254]?.id, packets[255]?.id, packets[256]?.id], [255, 0, 1]);
});

test('a long answer flushed as it grows is the same as one written at once', () => {
  const writer = new MessageWriter(512, 7);
  const sent: Buffer[] = [];
  const expected: Buffer[] = [];
  for (let index = 0; index < 3000; index++) {
    const piece = Buffer.from(`row ${index};`);
    writer.out.bytes(piece);
    expected.push(piece);
    if (!writer.isFull && index % 100 !== 0) continue;
    const packets = writer.flush();
    if (packets !== undefined) sent.push(packets);
  }
  sent.push(writer.end());
  const [message] = assemble(parse(Buffer.concat(sent)));
  assert.deepEqual(message?.payload, Buffer.concat(expected));
});

test('two answers of one writer share nothing: ids start anew and bytes stay', () => {
  const writer = new MessageWriter(4096, 1);
  writer.out.u32(1);
  const first = writer.end();
  writer.out.u32(2);
  const second = writer.end();
  assert.deepEqual(first, hex('04 01 000c 0001 01 00 01000000'));
  assert.deepEqual(second, hex('04 01 000c 0001 01 00 02000000'));
});

test('MS-TDS 2.2.3.1.2: reset bits of the first packet and the ignore bit of the last are seen', () => {
  const status = packetStatus.resetConnection;
  const [reset] = assemble(parse(packetize(Buffer.alloc(600), { ...rpc, status })));
  assert.equal(reset?.reset, 'reset');
  assert.equal(reset?.ignored, false);
  const keep = packetize(Buffer.alloc(1), { ...rpc, status: packetStatus.resetConnectionKeepTransaction });
  assert.equal(assemble(parse(keep))[0]?.reset, 'resetKeepTransaction');
  const [taken] = assemble(parse(packetize(Buffer.alloc(1), { ...rpc, status: packetStatus.ignore })));
  assert.equal(taken?.ignored, true);
});

test('an attention in the middle of a request takes its place', () => {
  const begun = packetize(Buffer.alloc(600), rpc).subarray(0, 512);
  const attention = packetize(Buffer.alloc(0), { type: packetTypes.attention, packetSize: 512 });
  const [message] = assemble(parse(Buffer.concat([begun, attention])));
  assert.equal(message?.type, packetTypes.attention);
});

test('MS-TDS 2.2.1.7: an attention with data, or of several packets, is refused', () => {
  for (const packet of ['06 01 0009 0000 01 00 00', '06 00 0008 0000 01 00']) {
    const bytes = Buffer.from(packet.replaceAll(' ', ''), 'hex');
    assert.throws(() => assemble(parse(bytes)), /An attention must be a single packet without data/);
  }
});

test('packets that cannot be are refused, each for its reason', () => {
  const reasons: [string, RegExp][] = [
    ['05 01 0008 0000 01 00', /type 0x05 is unknown/],
    ['53 01 0008 0000 01 00', /multiple active result sets/],
    ['03 01 0007 0000 01 00', /shorter than its header/],
    ['03 01 8000 0000 01 00', /over the limit of 32767/],
  ];
  for (const [bytes, reason] of reasons) {
    const parser = new PacketParser();
    parser.push(hex(bytes));
    throwsNumber(4002, () => parser.next());
    assert.throws(
      () => parser.next(),
      (error) => error instanceof SqlError && error.severity === 20,
    );
    assert.throws(() => parser.next(), reason);
  }
});

test('good packets before a bad one are not lost', () => {
  const parser = new PacketParser();
  parser.push(Buffer.concat([packetize(Buffer.of(1), rpc), hex('99 01 0008 0000 01 00')]));
  assert.deepEqual(parser.next()?.payload, Buffer.of(1));
  throwsNumber(4002, () => parser.next());
});

test('a message over the limit, or with a packet of another type within, is refused', () => {
  throwsNumber(4002, () => assemble(parse(packetize(Buffer.alloc(2000), rpc)), 1999));
  const mixed = parse(
    Buffer.concat([
      packetize(Buffer.alloc(600), rpc).subarray(0, 512),
      packetize(Buffer.of(1), { type: packetTypes.sqlBatch, packetSize: 512 }),
    ]),
  );
  throwsNumber(4002, () => assemble(mixed));
});

test('a packet size of 0 means 4096, and the rest is brought into 512 to 32767', () => {
  assert.deepEqual([0, 1, 512, 8000, 32767, 2147483647].map(clampPacketSize), [4096, 512, 512, 8000, 32767, 32767]);
});

test('any stream of bytes is parsed or refused clearly', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 20 }), (chunks) => {
      survives(() => {
        const parser = new PacketParser();
        const assembler = new MessageAssembler(1000);
        for (const chunk of chunks) {
          parser.push(Buffer.from(chunk));
          for (let packet = parser.next(); packet !== undefined; packet = parser.next()) assembler.add(packet);
        }
      }, Buffer.alloc(0));
    }),
  );
});

test('a message of many tiny and empty packets comes together whole', () => {
  const count = 5000;
  const assembler = new MessageAssembler(1e9);
  const packet = (payload: Buffer, status = 0): Packet => ({ type: packetTypes.rpc, status, spid: 0, id: 1, payload });
  for (let index = 0; index < count; index++) {
    assert.equal(assembler.add(packet(Buffer.alloc(0))), undefined);
    assert.equal(assembler.add(packet(Buffer.of(index % 251))), undefined);
  }
  const message = assembler.add(packet(Buffer.alloc(0), packetStatus.endOfMessage));
  assert.deepEqual(message?.payload, Buffer.from(Array.from({ length: count }, (_, index) => index % 251)));
});

test('MS-TDS 2.2.6.5: what a TLS engine says in one turn is one message of PRELOGIN packets, and nothing is none', async () => {
  const sent: Buffer[] = [];
  const flight = new HandshakeFlight((packets) => sent.push(packets));
  flight.flush();
  flight.add(Buffer.alloc(5000, 1));
  flight.add(Buffer.alloc(100, 2));
  await setImmediate();
  flight.flush();
  assert.equal(sent.length, 1);
  const packets = parse(sent[0] ?? Buffer.of());
  assert.deepEqual(
    packets.map(({ type, status, id }) => [type, status & packetStatus.endOfMessage, id]),
    [
      [packetTypes.prelogin, 0, 1],
      [packetTypes.prelogin, packetStatus.endOfMessage, 2],
    ],
  );
  assert.equal(Buffer.concat(packets.map(({ payload }) => payload)).length, 5100);
});

test('packets without data do not follow each other for ever: 4002', () => {
  for (const type of [packetTypes.rpc, packetTypes.bulkLoad]) {
    const assembler = new MessageAssembler(1e9);
    const packet = (payload: Buffer) => assembler.add({ type, status: 0, spid: 0, id: 1, payload });
    for (let count = 0; count < 64; count++) packet(Buffer.alloc(0));
    packet(Buffer.of(1));
    for (let count = 0; count < 64; count++) packet(Buffer.alloc(0));
    assert.throws(() => packet(Buffer.alloc(0)), { number: 4002 });
  }
});
