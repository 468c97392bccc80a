import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PayloadStream } from './payload-stream.ts';

const never = new AbortController().signal;

async function readAll(stream: PayloadStream): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (let block = await stream.next(never); block; block = await stream.next(never)) blocks.push(Buffer.from(block));
  return Buffer.concat(blocks);
}

test('bytes come out as they went in, whatever the sizes and whoever is faster', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.boolean())), async (packets) => {
      const stream = new PayloadStream(1);
      const sent = packets.map(([size], at) => Buffer.alloc(size, at));
      const read = readAll(stream);
      for (const [at, [, waits]] of packets.entries()) {
        stream.push(sent[at] ?? Buffer.alloc(0));
        if (waits) await new Promise(setImmediate);
      }
      stream.end('whole');
      assert.ok((await read).equals(Buffer.concat(sent)));
    }),
    { numRuns: 20 },
  );
});

test('a stream is full when two blocks wait, and tells when there is room', async () => {
  const stream = new PayloadStream(1);
  let rooms = 0;
  stream.onRoom = () => rooms++;
  while (!stream.isFull) stream.push(Buffer.alloc(50_000));
  assert.equal(rooms, 0);
  await stream.next(never);
  assert.equal(stream.isFull, false);
  assert.equal(rooms, 1);
});

test('a reader that waits is woken by the end and by a cancel', async () => {
  const cancel = new AbortController();
  const stream = new PayloadStream(1);
  const first = stream.next(cancel.signal);
  cancel.abort(new Error('cancelled'));
  await assert.rejects(first, /cancelled/);
  const second = stream.next(never);
  stream.end('cut');
  assert.equal(await second, undefined);
  stream.end('whole');
  assert.equal(stream.ending, 'cut');
});

test('what nobody wants is dropped until the message ends, up to the limit of a message', async () => {
  const stream = new PayloadStream(100);
  stream.push(Buffer.alloc(1000));
  const dropped = stream.discard();
  stream.push(Buffer.alloc(100));
  stream.end('whole');
  await dropped;
  assert.equal(await stream.next(never), undefined);
  assert.throws(() => stream.push(Buffer.alloc(1)), { number: 4002, severity: 20 });
});
