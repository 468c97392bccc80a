import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kind } from '../../../src/procedure/kind.ts';
import { search } from '../../../src/protocols/search/kinds/search.ts';
import { searchAdmin } from '../../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../../src/protocols/search/kinds/search-property.ts';
import { recompile } from '../../../src/protocols/search/maintenance.ts';
import { forEachSearch } from './with-search.ts';

/** Those of the text: Granary adds some of its own. */
const ofTheText = ({ procedures }: Kind) => procedures.filter(({ section }) => section.startsWith('MS-'));
const everywhere = [...new Set([searchAdmin, searchCrawl, searchProperty].flatMap(ofTheText))];
const namesOf = (procedures: typeof everywhere) => new Set(procedures.map(({ name }) => name));
const offered = namesOf(ofTheText(search));
const productsOnly = [...namesOf(everywhere)].filter((name) => !offered.has(name)).sort();

test('MS-SQLPGAT2 3.3.5: the Foundation role has 59 procedures, each the one of the other kinds', () => {
  assert.equal(offered.size, 59);
  for (const procedure of ofTheText(search)) assert.ok(everywhere.includes(procedure), procedure.name);
});

test('MS-SQLPGAT2 3.1.5: together the three kinds have 88 procedures, no two of a name', () => {
  assert.equal(everywhere.length, 88);
  assert.equal(namesOf(everywhere).size, 88);
});

test('MS-SQLPGAT2 3.1.5.69: every search database has procedures to compile anew', () => {
  for (const kind of [searchAdmin, searchCrawl, searchProperty, search]) {
    assert.ok(kind.procedures.includes(recompile), kind.name);
  }
});

forEachSearch(search, (withSearch) => {
  test('MS-SQLPGAT2 3.3.5: what the Foundation role does not list is error 2812 there', () =>
    withSearch(async ({ client }) => {
      assert.equal(productsOnly.length, 29);
      for (const name of productsOnly) await assert.rejects(client.rpc(name), { number: 2812 }, name);
    }));

  test('MS-SQLPGAT2 3.3.1: one database holds the sets of all three kinds', () =>
    withSearch(async ({ client }) => {
      for (const table of ['ConfigurationProperties', 'MSSCrawlQueue', 'MSSDocProps', 'ManagedProperties', 'Scopes']) {
        assert.equal((await client.batch(`select count(*) as n from ${table}`)).sets[0]?.length, 1, table);
      }
      const { sets } = await client.batch(`
        select count(*) as n from ManagedProperties
        union all select count(*) from CrawledProperties
        union all select count(*) from Scopes`);
      assert.deepEqual(
        sets[0]?.map((row) => row['n']),
        [19, 10, 1],
      );
    }));
});
