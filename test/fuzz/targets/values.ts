import { convert } from '../../../src/tds/convert/convert.ts';
import { nvarchar } from '../../../src/tds/types/index.ts';
import { like } from '../../../src/values/like.ts';
import { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { anyText, anyValue, everyType } from './types.ts';

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
];
