import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hex, throwsNumber } from '../../../test/support/tds.ts';
import { ahead, decodeSmpHeader, encodeSmp, nextSequence, type SmpPacket, SmpParser, smpFlags } from './index.ts';

function parsed(chunks: readonly Buffer[]): SmpPacket[] {
  const parser = new SmpParser();
  const packets: SmpPacket[] = [];
  for (const chunk of chunks) {
    parser.push(chunk);
    for (let packet = parser.next(); packet; packet = parser.next()) packets.push(packet);
  }
  return packets;
}

test('[MC-SMP] 2.2.1: a header has SMID, FLAGS, SID, LENGTH, SEQNUM and WNDW, the lower bytes first', () => {
  const syn = encodeSmp({ flag: smpFlags.syn, sid: 0x0102, sequence: 0, window: 4 });
  assert.deepEqual(syn, hex('53 01 02 01 10 00 00 00 00 00 00 00 04 00 00 00'));
  const data = encodeSmp({ flag: smpFlags.data, sid: 1, sequence: 0x01020304, window: 9 }, hex('aa bb'));
  assert.deepEqual(data, hex('53 08 01 00 12 00 00 00 04 03 02 01 09 00 00 00 aa bb'));
});

test('[MC-SMP] 2.2.1.1: one flag and no other; only DATA packets are longer than a header', () => {
  const wrong = [
    '54 01 00 00 10 00 00 00 00 00 00 00 04 00 00 00',
    '53 00 00 00 10 00 00 00 00 00 00 00 04 00 00 00',
    '53 06 00 00 10 00 00 00 00 00 00 00 04 00 00 00',
    '53 10 00 00 10 00 00 00 00 00 00 00 04 00 00 00',
    '53 01 00 00 11 00 00 00 00 00 00 00 04 00 00 00',
    '53 02 00 00 0f 00 00 00 00 00 00 00 04 00 00 00',
    '53 04 00 00 00 00 00 00 00 00 00 00 04 00 00 00',
    '53 08 00 00 0f 00 00 00 00 00 00 00 04 00 00 00',
    '53 08 00 00 10 00 00 80 00 00 00 00 04 00 00 00',
  ];
  for (const bytes of wrong) throwsNumber(4002, () => decodeSmpHeader(hex(bytes)));
});

test('[MC-SMP] 2.2.1: sequence numbers go round after 0xffffffff', () => {
  assert.equal(nextSequence(0xffffffff), 0);
  assert.equal(ahead(1, 0xffffffff), 2);
  assert.equal(ahead(0xfffffffe, 1), -3);
});

test('packets are found however the stream is cut', () => {
  const packet = fc.record({
    flag: fc.constantFrom(...Object.values(smpFlags)),
    sid: fc.nat(0xffff),
    sequence: fc.nat(0xffffffff),
    window: fc.nat(0xffffffff),
    data: fc.uint8Array({ maxLength: 300 }),
  });
  fc.assert(
    fc.property(fc.array(packet), fc.integer({ min: 1, max: 70 }), (sent, size) => {
      const bytes = Buffer.concat(
        sent.map(({ data, ...header }) => encodeSmp(header, header.flag === smpFlags.data ? data : undefined)),
      );
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const got = parsed(chunks).map(({ flag, sid, sequence, window, data }) => ({
        ...{ flag, sid, sequence, window },
        data: [...data],
      }));
      const wanted = sent.map((each) => ({ ...each, data: each.flag === smpFlags.data ? [...each.data] : [] }));
      assert.deepEqual(got, wanted);
    }),
    { numRuns: 200 },
  );
});
