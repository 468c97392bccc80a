import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/threads/steps.ts';
import { convert } from '../../../src/tds/convert/convert.ts';
import { nvarchar } from '../../../src/tds/types/index.ts';
import { changedJson } from '../../../src/values/json-change.ts';
import { readJsonPath } from '../../../src/values/json-path.ts';
import { wholeDocument } from '../../../src/values/json-text.ts';
import { like } from '../../../src/values/like.ts';
import { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { anyText, anyValue, everyType } from './types.ts';

const jsonPieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"a b"',
  '"a":',
  '1',
  '-0.5e3',
  '01',
  'true',
  'null',
  '"',
  '\\u0041',
  ' ',
];

/** A document of JSON as SQL Server has it: an object or an array. */
const isParsed = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
};

const isDocument = (text: string): boolean => {
  try {
    atOnce(wholeDocument(text));
    return true;
  } catch {
    return false;
  }
};

/** The input is a seed: values and types are made from it. */
const fromSeed = (random: Random): Buffer => random.bytes(4);

export const valueTargets: readonly Target[] = [
  {
    name: 'conversions',
    make: fromSeed,
    run(input) {
      const random = new Random(input.readInt32LE(0));
      const to = random.pick(everyType);
      const from = random.chance(2) ? nvarchar('max') : random.pick(everyType);
      const value = from.name === 'nvarchar' ? anyText(random) : anyValue(random, from);
      convert(value, from, to, {
        implicit: random.chance(2),
        ...(random.chance(2) ? { style: random.below(135) } : {}),
      });
    },
  },
  {
    name: 'patterns',
    make: fromSeed,
    run(input) {
      const random = new Random(input.readInt32LE(0));
      const text = (most: number) =>
        random.some(most, () => random.pick(['a', 'B', '%', '_', '[', ']', '^', '-', '!', 'é', ' '])).join('');
      like(text(60), text(20), { escapeWith: random.pick(['', '!', 'a']), caseSensitive: random.chance(2) });
    },
  },
  {
    name: 'JSON',
    make: fromSeed,
    run(input) {
      const random = new Random(input.readInt32LE(0));
      const text = random.some(40, () => random.pick(jsonPieces)).join('');
      const path = readJsonPath(`$${random.some(4, () => random.pick(['.a', '[0]', '[1]', '."a b"', ' '])).join('')}`);
      const isWhole = isDocument(text);
      assert.equal(isWhole, isParsed(text), text);
      if (!isWhole) return;
      const changed = atOnce(changedJson(text, path, random.pick([undefined, '1', '{"b":[]}'])));
      assert.ok(isParsed(changed), `${text} became ${changed}`);
    },
  },
];
