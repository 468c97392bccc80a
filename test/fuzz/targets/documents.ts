import * as translation from '../../../src/protocols/translation/schemas.ts';
import * as word from '../../../src/protocols/word/schemas.ts';
import { mutated } from '../mutate.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';

const readers = [translation.jobAdd, translation.batchUpdate, word.jobAdd, word.batchUpdate] as const;
const family = 'http://schemas.microsoft.com/office/server/';
const pieces = [
  '<',
  '>',
  '&',
  '"',
  '/',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&b;',
  '&#0;',
  '&#x41;',
  'xmlns:a="b"',
  '<item/>',
  ' id="1"',
];

function good(random: Random): string {
  const items = random.some(
    5,
    () => `<item id="${random.below(50)}" in="a${random.below(9)}"${random.chance(2) ? ' out="b"' : ''}/>`,
  );
  const updates = random.some(5, () => `<item job="${random.below(9)}" group="1" id="${random.below(9)}" error="-1"/>`);
  return random.pick([
    `<group xmlns="${family}translation/2010/11/databaseJobAdd">${items.join('')}</group>`,
    `<group xmlns="${family}word/2009/08/databaseJobAdd">${items.join('')}</group>`,
    `<batch xmlns="${family}word/2009/08/databaseBatchUpdate"><start></start><failed>${updates.join('')}</failed></batch>`,
    `<batch xmlns="${family}translation/2010/11/databaseBatchUpdate"><start></start><failed>${updates.join('')}</failed></batch>`,
  ]);
}

/** Documents of the job protocols; the first byte says which schema. */
export const documentTargets: readonly Target[] = [
  {
    name: 'documents',
    make(random) {
      let text = good(random);
      for (const piece of random.some(3, () => random.pick(pieces))) {
        const at = random.below(text.length + 1);
        text = text.slice(0, at) + piece + text.slice(at + random.below(4));
      }
      const bytes = Buffer.from(text);
      return Buffer.concat([
        Buffer.of(random.below(readers.length)),
        random.chance(3) ? mutated(random, bytes) : bytes,
      ]);
    },
    async run(input) {
      await readers[(input[0] ?? 0) % readers.length]?.readHere(input.subarray(1).toString());
    },
  },
];
