import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fold } from '../../../base/text/collation.ts';
import { collationOrder, pathOrder, prefixRange } from './path-order.ts';

const collator = new Intl.Collator('en', { sensitivity: 'accent' });
const letters = [...' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0189azAZéèêëÉàâäçñöüÅ'];
const paths = fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
/** As both engines compare text: by the bytes of UTF-8. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('the order of paths', () => {
  test('is that of the Unicode collation for ASCII and accented Latin letters, without regard to case', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const expected = collator.compare(fold(a), fold(b));
        assert.equal(Math.sign(compare(collationOrder(a), collationOrder(b))), Math.sign(expected));
      }),
      { numRuns: 5000 },
    );
  });

  test('puts a letter with an accent between the letter and the next one', () => {
    const sorted = ['/sites/zoo', '/sites/étage', '/sites/etage', '/sites/Fin', '/sites/Étages'].sort((a, b) =>
      compare(collationOrder(a), collationOrder(b)),
    );
    assert.deepEqual(sorted, ['/sites/etage', '/sites/étage', '/sites/Étages', '/sites/Fin', '/sites/zoo']);
  });

  test('is that of the Unicode collation for letters that do not come apart into a letter and an accent', () => {
    const others = [...'aeostdhlijzøØæÆßœðđħłĳǽεάвеёийк'];
    const words = fc.string({ unit: fc.constantFrom(...others), maxLength: 6 });
    const byLetters = new Intl.Collator('en', { sensitivity: 'base' });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const order = Math.sign(compare(collationOrder(a), collationOrder(b)));
        const expected = Math.sign(byLetters.compare(fold(a), fold(b)));
        if (expected !== 0) assert.equal(order, expected);
        assert.equal(order === 0, fold(a) === fold(b), 'only paths that equal each other have one place');
      }),
      { numRuns: 5000 },
    );
  });

  test('equal paths sort by identifier, as SQL Server sorts identifiers', () => {
    const first = pathOrder('/A', 'ffffffff-ffff-ffff-ffff-000000000001');
    const second = pathOrder('/a ', '00000000-0000-0000-0000-000000000002');
    const longer = pathOrder('/a!', '00000000-0000-0000-0000-000000000000');
    assert.ok(compare(first, second) < 0);
    assert.ok(compare(second, longer) < 0);
  });

  test('the ranges of a prefix hold exactly the paths that begin with it', () => {
    const any = fc.string({ unit: fc.constantFrom(...letters, ...'øæßłий'), maxLength: 8 });
    fc.assert(
      fc.property(any, any, fc.boolean(), (prefix, path, joined) => {
        const whole = joined ? prefix + path : path;
        const { order, key } = prefixRange(prefix);
        const at = collationOrder(whole);
        const folded = fold(whole);
        const inRange =
          compare(at, order.from) >= 0 &&
          compare(at, order.to) < 0 &&
          compare(folded, key.from) >= 0 &&
          compare(folded, key.to) < 0;
        assert.equal(inRange, folded.startsWith(fold(`${prefix}|`).slice(0, -1)));
      }),
      { numRuns: 3000 },
    );
  });
});
