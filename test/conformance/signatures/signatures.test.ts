import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kind } from '../../../src/procedure/kind.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import { searchAdmin } from '../../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../../src/protocols/search/kinds/search-property.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { word } from '../../../src/protocols/word/kind.ts';
import { word2 } from '../../../src/protocols/word2/kind.ts';
import { deliberate } from './deliberate.ts';
import { differences, signaturesOf } from './signature.ts';

/** The kinds of database that a protocol's procedures are spread over. */
const kinds: Readonly<Record<string, readonly Kind[]>> = {
  'MS-SQLPGAT2': [searchAdmin, searchCrawl, searchProperty],
  'MS-TSSPROC': [translation],
  'MS-WORDSSP': [word],
  'MS-WORDSSP2': [word2],
  'MS-WSSCFGD2': [config],
};

for (const [protocol, its] of Object.entries(kinds)) {
  const procedures = its.flatMap((kind) => kind.procedures);
  const signatures = signaturesOf(protocol);
  const reasons = deliberate[protocol] ?? {};

  describe(`${protocol} signatures`, () => {
    const seen = new Set<string>();

    for (const signature of signatures) {
      test(`${protocol} ${signature.section}: ${signature.name} is declared as the specification writes it`, () => {
        const declared = procedures.find(({ name }) => name === signature.name);
        assert.ok(declared, `${signature.name} is not declared`);
        const found = differences(signature, declared, protocol);
        for (const line of found) seen.add(line);
        assert.deepEqual(
          found.filter((line) => !(line in reasons)),
          [],
        );
      });
    }

    test(`${protocol}: offers no procedure that the specification does not have`, () => {
      const known = new Set(signatures.map(({ name }) => name));
      const unknown = procedures.filter(({ section }) => section.startsWith(protocol)).map(({ name }) => name);
      assert.deepEqual(
        unknown.filter((name) => !known.has(name)),
        [],
      );
    });

    test(`${protocol}: every deliberate difference still exists`, () => {
      assert.deepEqual(
        Object.keys(reasons).filter((line) => !seen.has(line)),
        [],
      );
    });
  });
}
