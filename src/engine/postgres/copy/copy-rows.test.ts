import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GivenRows } from '../../db.ts';
import { boundRows } from '../../given-rows.ts';
import { CopyRows } from './copy-rows.ts';

const texts = [
  '',
  'http://Portal.example/Sites/TEAM 7/Report.docx',
  'blanks at the end  ',
  '   ',
  'a\ttab and a \u0001 control',
  'delete \u007f',
  'Straße ÆON ﬁn Σίσυφος',
  'cafe\u0301 CAFÉ',
  'soft\u00adhyphen and \u200bnothing',
  '😀 beyond the first plane',
  'x'.repeat(1500),
  'É'.repeat(1500),
  '漢字'.repeat(70_000),
];

/** Rows of two texts, each with its folded form, and two numbers between them. */
function given(rows: readonly (readonly [string, string, number])[]): GivenRows {
  return {
    length: rows.length,
    give(taker) {
      for (const [one, other, number] of rows) {
        const bytes = Buffer.from(`${one}${other}`, 'utf16le');
        taker.row();
        taker.utf16(bytes, 0, one.length * 2);
        taker.folded(bytes, 0, one.length * 2);
        taker.integer(number);
        taker.bigint(Buffer.from(BigInt64Array.of(BigInt(number) * 2n ** 32n - 1n).buffer), 0);
        taker.utf16(bytes, one.length * 2, bytes.length);
        taker.folded(bytes, one.length * 2, bytes.length);
        taker.value(null);
      }
    },
  };
}

function written(add: (copy: CopyRows) => void): Buffer {
  const copy = new CopyRows(['text', 'text', 'bigint', 'bigint', 'text', 'text', 'bytes']);
  add(copy);
  copy.end();
  // Each chunk starts with space for a header.
  return Buffer.concat(copy.take().map((chunk) => chunk.subarray(5)));
}

describe('rows for COPY', () => {
  it('are the same whether their values are passed as wire bytes or as arrays', () => {
    const numbers = [0, 1, -1, 2147483647, -2147483648];
    const rows = texts.flatMap((one, at) =>
      texts.map((other) => [one, other, numbers[at % numbers.length] ?? 0] as const),
    );
    const raw = written((copy) => copy.add(given(rows)));
    const bound = written((copy) => copy.add(boundRows(given(rows))));
    assert.ok(raw.equals(bound));
  });

  it('refuse U+0000 and unpaired surrogates however they are passed', () => {
    for (const text of ['a\0b', '\ud83d']) {
      for (const rows of [given([[text, '', 1]]), given([['', text, 1]])]) {
        assert.throws(() => written((copy) => copy.add(rows)), { number: 50000 });
        assert.throws(() => written((copy) => copy.add(boundRows(rows))), { number: 50000 });
      }
    }
  });
});
