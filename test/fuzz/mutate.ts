import type { Random } from './random.ts';

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0xfe, 0xfd] as const;
const words = [0, 1, 0x7fff, 0x8000, 0xffff, 0xfffe, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe] as const;

/** Spoils good bytes in a few places. */
export function mutated(random: Random, good: Buffer, others: readonly Buffer[] = []): Buffer {
  let bytes: Buffer = Buffer.from(good);
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = bytes.length === 0 ? 0 : random.below(bytes.length);
    bytes = edits[random.below(edits.length)]?.(random, bytes, at, others) ?? bytes;
  }
  return bytes;
}

type Edit = (random: Random, bytes: Buffer, at: number, others: readonly Buffer[]) => Buffer;

const put = (bytes: Buffer, at: number, cut: number, put: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);

const edits: readonly Edit[] = [
  (random, bytes, at) => put(bytes, at, 1, Buffer.of(random.below(256))),
  (random, bytes, at) => put(bytes, at, 1, Buffer.of(random.pick(interesting))),
  (random, bytes, at) => put(bytes, at, 1, Buffer.of((bytes[at] ?? 0) ^ (1 << random.below(8)))),
  (random, bytes, at) => put(bytes, at, 1, Buffer.of((bytes[at] ?? 0) + random.below(5) - 2)),
  (random, bytes, at) => put(bytes, at, random.below(9), Buffer.alloc(0)),
  (random, bytes, at) => put(bytes, at, 0, random.bytes(1 + random.below(8))),
  (random, bytes, at) => put(bytes, at, 0, Buffer.alloc(1 + random.below(200), random.below(256))),
  (_, bytes, at) => bytes.subarray(0, at),
  (random, bytes, at) => {
    const word = Buffer.alloc(4);
    word.writeUInt32LE(random.pick(words));
    const size = random.pick([2, 4]);
    return put(bytes, at, size, word.subarray(0, size));
  },
  (random, bytes, at) => put(bytes, at, 0, bytes.subarray(at, at + 1 + random.below(40))),
  (random, bytes, at, others) => {
    const other = others.length === 0 ? bytes : random.pick(others);
    return put(bytes, at, random.below(20), other.subarray(random.below(other.length + 1)).subarray(0, 60));
  },
];
