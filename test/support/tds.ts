import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SqlError } from '../../src/base/messages/sql-error.ts';
import { ByteWriter } from '../../src/tds/byte-writer.ts';
import { type Dialect, dialectOf, tdsVersions } from '../../src/tds/version.ts';

/** What the tests of this room share. */
export const dialects: readonly [string, Dialect][] = Object.entries(tdsVersions).map(([name, version]) => [
  name,
  dialectOf(version),
]);

/** The bytes that a writer function writes. */
export function bytesOf(write: (out: ByteWriter) => void): Buffer {
  const out = new ByteWriter();
  write(out);
  return out.take();
}

/** Bytes as the specification prints them: `04 00 66 00`. */
export const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');

/** Asserts that a function throws a SqlError of this number. */
export function throwsNumber(number: number, run: () => unknown): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof SqlError, `expected SqlError ${number}, got ${String(error)}`);
    assert.equal(error.number, number, error.message);
    return true;
  });
}

/** The numbers that a decoder may raise about bytes that it was sent. */
const clear: ReadonlySet<number> = new Set([
  2715, 4002, 4815, 4816, 8003, 8004, 8009, 8016, 8018, 8023, 8028, 17828, 17832,
]);

/** Fails when decoding ends in anything but a result or a SqlError that tells what is wrong. */
export function survives(decode: (bytes: Buffer) => unknown, bytes: Buffer): void {
  try {
    decode(bytes);
  } catch (error) {
    assert.ok(error instanceof SqlError, `not a SqlError: ${error instanceof Error ? error.stack : String(error)}`);
    assert.ok(clear.has(error.number), `unclear number ${error.number}: ${error.message}`);
  }
}

const edit = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('set', 'cut', 'insert', 'ones', 'truncate'),
  byte: fc.integer({ min: 0, max: 255 }),
});

function mutated(seed: Buffer, edits: readonly { at: number; kind: string; byte: number }[]): Buffer {
  let bytes = Buffer.from(seed);
  for (const { at, kind, byte } of edits) {
    const where = bytes.length === 0 ? 0 : at % bytes.length;
    const before = bytes.subarray(0, where);
    const after = bytes.subarray(where + 1);
    if (kind === 'set') bytes = Buffer.concat([before, Buffer.of(byte), after]);
    if (kind === 'cut') bytes = Buffer.concat([before, after]);
    if (kind === 'insert') bytes = Buffer.concat([before, Buffer.of(byte), bytes.subarray(where)]);
    if (kind === 'ones') bytes = Buffer.concat([before, Buffer.alloc(4, 0xff), bytes.subarray(where + 4)]);
    if (kind === 'truncate') bytes = bytes.subarray(0, where);
  }
  return bytes;
}

/** Throws random bytes, and good messages with a few bytes wrong, at a decoder. */
export function withstandsAnything(decode: (bytes: Buffer) => unknown, seeds: readonly Buffer[], numRuns = 400): void {
  const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(random, (bytes) => survives(decode, bytes)),
    { numRuns },
  );
  for (const seed of seeds) {
    decode(seed);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => survives(decode, mutated(seed, edits))),
      { numRuns },
    );
  }
}
