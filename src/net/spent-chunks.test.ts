import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MessageAssembler, PacketParser, packetize, packetTypes } from '../tds/packet/index.ts';
import { SpentChunks } from './spent-chunks.ts';

const kilobyte = 1024;

/** Cuts a stream into chunks of their own memory, as a socket hands them over. */
function chunksOf(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, count = 0; at < stream.length; count++) {
    const size = sizes[count % sizes.length] ?? stream.length;
    const chunk = Buffer.allocUnsafeSlow(Math.min(size, stream.length - at));
    stream.copy(chunk, 0, at);
    chunks.push(chunk);
    at += size;
  }
  return chunks;
}

test('no message loses a byte to the memory that its chunks give back, however they are cut', () => {
  const messages = fc.array(fc.integer({ min: 0, max: 200 * kilobyte }), { minLength: 1, maxLength: 8 });
  const sizes = fc.array(fc.integer({ min: 1, max: 64 * kilobyte }), { minLength: 1, maxLength: 5 });
  const packetSizes = fc.constantFrom(512, 4096, 32_767);
  fc.assert(
    fc.property(messages, sizes, packetSizes, (lengths, cuts, packetSize) => {
      const sent = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      const stream = Buffer.concat(sent.map((payload) => packetize(payload, { type: packetTypes.rpc, packetSize })));
      const parser = new PacketParser();
      const assembler = new MessageAssembler(stream.length);
      const spent = new SpentChunks();
      const received: Buffer[] = [];
      // A dripping stream takes no more of the time than another: its chunks are at least a thousandth of it.
      for (const chunk of chunksOf(
        stream,
        cuts.map((cut) => Math.max(cut, Math.ceil(stream.length / 1000))),
      )) {
        parser.push(chunk);
        spent.add(chunk);
        for (let packet = parser.next(); packet; packet = parser.next()) {
          const message = assembler.add(packet);
          if (!message) continue;
          spent.settle(message.payload);
          received.push(message.payload);
        }
      }
      const intact = received.filter((payload, index) => sent[index]?.equals(payload));
      assert.deepEqual([received.length, intact.length], [sent.length, sent.length]);
    }),
    { numRuns: 200 },
  );
});

test('the chunks of a message that was copied together are given back, the last one with the next message', () => {
  const spent = new SpentChunks();
  const [first, second, third] = [1, 2, 3].map((byte) => Buffer.allocUnsafeSlow(64 * kilobyte).fill(byte));
  assert.ok(first && second && third);
  for (const chunk of [first, second]) spent.add(chunk);
  spent.settle(Buffer.concat([first, second]));
  assert.deepEqual([first.length, second.length], [0, 64 * kilobyte]);
  spent.add(third);
  spent.settle(third.subarray(10, 20));
  assert.deepEqual([second.length, third.length], [0, 64 * kilobyte]);
});

test('a chunk that a message is a view of stays, though the packet that ends the message came later', () => {
  const spent = new SpentChunks();
  const [first, second] = [1, 2].map((byte) => Buffer.allocUnsafeSlow(64 * kilobyte).fill(byte));
  assert.ok(first && second);
  for (const chunk of [first, second]) spent.add(chunk);
  spent.settle(first.subarray(8));
  assert.equal(first.length, 64 * kilobyte);
});
