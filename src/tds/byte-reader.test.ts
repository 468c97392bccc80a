import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, hex, throwsNumber } from '../../test/support/tds.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

test('numbers of every width come back as they were written', () => {
  const bytes = bytesOf((out) => {
    out.u8(200);
    out.i8(-3);
    out.u16(0xfffe);
    out.i16(-2);
    out.u16be(0x1234);
    out.i16be(-5);
    out.u32(0xfffffffe);
    out.i32(-2147483648);
    out.u32be(0x12345678);
    out.i32be(-7);
    out.u64(2n ** 64n - 1n);
    out.i64(-(2n ** 63n));
    out.u64be(1n);
    out.i64be(-1n);
    out.u64Number(2 ** 40 + 5);
    out.uint(0xabcdef, 3);
    out.f32(0.5);
    out.f64(Math.PI);
  });
  const read = new ByteReader(bytes);
  const values = [
    ...[read.u8(), read.i8(), read.u16(), read.i16(), read.u16be(), read.i16be()],
    ...[read.u32(), read.i32(), read.u32be(), read.i32be()],
    ...[read.u64(), read.i64(), read.u64be(), read.i64be(), read.u64()],
    ...[read.uint(3), read.f32(), read.f64(), read.remaining],
  ];
  assert.deepEqual(values, [
    ...[200, -3, 0xfffe, -2, 0x1234, -5],
    ...[0xfffffffe, -2147483648, 0x12345678, -7],
    ...[2n ** 64n - 1n, -(2n ** 63n), 1n, -1n, 2n ** 40n + 5n],
    ...[0xabcdef, 0.5, Math.PI, 0],
  ]);
});

test('MS-TDS 2.2.5.2.2: B_VARCHAR counts characters in one byte, US_VARCHAR in two', () => {
  assert.deepEqual(
    bytesOf((out) => out.bVarchar('ab')),
    hex('02 61 00 62 00'),
  );
  assert.deepEqual(
    bytesOf((out) => out.usVarchar('ab')),
    hex('02 00 61 00 62 00'),
  );
  assert.equal(new ByteReader(hex('02 00 61 00 62 00')).usVarchar(), 'ab');
});

test('names longer than their length can tell are cut, never miscounted', () => {
  const read = new ByteReader(bytesOf((out) => out.bVarchar('x'.repeat(300))));
  assert.equal(read.bVarchar().length, 255);
  assert.equal(read.remaining, 0);
});

test('text of any content and length survives, lone surrogates too', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 80 }), (text) => {
      const read = new ByteReader(bytesOf((out) => out.usVarchar(text)));
      assert.equal(read.usVarchar(), text);
    }),
  );
});

test('every read past the end is SQL error 4002', () => {
  const reads: ((bytes: ByteReader) => unknown)[] = [
    (bytes) => bytes.u8(),
    (bytes) => bytes.peek(),
    (bytes) => bytes.u16(),
    (bytes) => bytes.u32be(),
    (bytes) => bytes.peekU32(),
    (bytes) => bytes.i64(),
    (bytes) => bytes.f64(),
    (bytes) => bytes.bytes(1),
    (bytes) => bytes.bytes(2 ** 31),
    (bytes) => bytes.skip(1),
    (bytes) => bytes.ucs2(0x7fffffff),
    (bytes) => bytes.window(1),
    (bytes) => bytes.uint(3),
  ];
  for (const read of reads) throwsNumber(4002, () => read(new ByteReader(Buffer.alloc(0))));
  throwsNumber(4002, () => new ByteReader(Buffer.of(0xff, 0xff)).usVarchar());
  throwsNumber(4002, () => new ByteReader(Buffer.of(1, 2, 3)).window(2).u32());
});

test('what a writer handed out is never written again', () => {
  const out = new ByteWriter(16);
  const taken: [Buffer, string][] = [];
  for (let index = 0; index < 400; index++) {
    const text = `message ${index} `.repeat(1 + (index % 40));
    out.usVarchar(text);
    taken.push([out.take(), text]);
  }
  for (const [bytes, text] of taken) assert.equal(new ByteReader(bytes).usVarchar(), text);
});

test('slots are filled in place, also after the buffer grew', () => {
  const out = new ByteWriter(4);
  const small = out.slotU16();
  const large = out.slotU32();
  out.bytes(Buffer.alloc(100_000, 7));
  out.closeU32(large);
  out.patchU16(small, 0xabcd);
  const read = new ByteReader(out.take());
  assert.equal(read.u16(), 0xabcd);
  assert.equal(read.u32(), 100_000);
});

test('cut takes bytes out of the middle and truncate off the end', () => {
  const out = new ByteWriter();
  out.bytes(Buffer.from('abcdefgh'));
  out.cut(1, 3);
  assert.equal(out.view().toString(), 'aefgh');
  out.truncate(2);
  assert.equal(out.take().toString(), 'ae');
});
