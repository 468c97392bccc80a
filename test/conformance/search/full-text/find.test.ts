import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '../../../../src/client/client.ts';
import { sql } from '../../../../src/engine/sql.ts';
import { longestText } from '../../../../src/protocols/search/full-text/document.ts';
import { find } from '../../../../src/protocols/search/full-text/find.ts';
import { mergeTexts } from '../../../../src/protocols/search/full-text/merge-texts.ts';
import {
  type DocumentText,
  documentsJson,
  putDocumentTexts,
} from '../../../../src/protocols/search/full-text/put-document-texts.ts';
import { search } from '../../../../src/protocols/search/kinds/search.ts';
import { resetCatalog } from '../../../../src/protocols/search/properties/reset-catalog.ts';
import { int } from '../../../../src/tds/types/index.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { nastyTexts } from '../../../support/nasty-queries.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { change } from '../properties/store.ts';

const documents: readonly DocumentText[] = [
  {
    DocID: 1,
    Url: 'https://barn.example/grain/rye',
    Title: 'Rye',
    Text: 'How rye is stored in a granary: dry, cool and dark.',
    Properties: { author: 'Ada Lovelace', keywords: ['storage', 'cold rooms'] },
  },
  {
    DocID: 2,
    Url: 'https://barn.example/grain/wheat',
    Title: 'Wheat and how it is stored',
    Text: 'Wheat is kept beside the rye. Nothing else is said of it.',
    Properties: { author: 'Charles Babbage' },
  },
  {
    DocID: 3,
    Url: 'https://mill.example/about',
    Title: 'About the mill',
    Text: 'The mill grinds. Ada was never here.',
  },
  {
    DocID: 4,
    Url: 'https://mill.example/crème',
    Title: 'Crème brûlée',
    Text: 'A dessert. 𝒢ranary 🚀 𠮷野家 日本語の本',
  },
];

forEachEngine((engine) => {
  describe('granary.Find', () => {
    let server: TestServer;
    let client: Client;
    let databases = 0;
    before(async () => {
      server = await startServer({ engine, kinds: [search] });
      client = Client.create({ server: server.granary, database: search.firstDatabase });
      await client.call(putDocumentTexts, { Documents: documentsJson(documents) });
    });
    after(async () => {
      await client.close();
      await server[Symbol.asyncDispose]();
    });

    /** A client of a database of its own. */
    const fresh = async () => {
      const name = `Search_${++databases}`;
      await server.granary.engine.create(name, search.name);
      return client.database(name);
    };
    const idsIn = async (of: Client, Text: string) => {
      const { sets } = await of.call(find, { Text });
      return sets.Found.map(({ DocID }) => DocID);
    };
    const ids = (Text: string) => idsIn(client, Text);

    test('finds words in title and text, whatever their case and accents; all of them must be there', async () => {
      assert.deepEqual(await ids('GRANARY dry'), [1]);
      assert.deepEqual(await ids('creme BRULEE'), [4]);
      assert.deepEqual(await ids('crème brûlée'), [4]);
      assert.deepEqual(await ids('granary wheat'), []);
    });

    test('a word in the title outranks the same word in the text', async () => {
      assert.deepEqual(await ids('rye'), [1, 2]);
      assert.deepEqual(await ids('stored'), [2, 1]);
      assert.deepEqual(await ids('mill'), [3]);
    });

    test('"phrases" are found only as they stand', async () => {
      assert.deepEqual(await ids('"stored in a granary"'), [1]);
      assert.deepEqual(await ids('"granary stored"'), []);
      assert.deepEqual(await ids('cool-dry'), [], 'a word with a hyphen is a phrase');
      assert.deepEqual(await ids('"never closed'), []);
    });

    test('-not leaves documents out', async () => {
      assert.deepEqual(await ids('rye -wheat'), [1]);
      assert.deepEqual(await ids('rye -"stored in"'), [2]);
      assert.deepEqual(await ids('-wheat'), [], 'what is only left out finds nothing');
    });

    test('property:value looks into one property, whose words are found without it too', async () => {
      assert.deepEqual(await ids('author:ada'), [1]);
      assert.deepEqual(await ids('Author:"Ada Lovelace"'), [1]);
      assert.deepEqual(await ids('ada'), [1, 3]);
      assert.deepEqual(await ids('keywords:rooms'), [1]);
      assert.deepEqual(await ids('keywords:"storage cold"'), [], 'no phrase reaches from one value into the next');
      assert.deepEqual(await ids('site:mill.example'), [3, 4]);
      assert.deepEqual(await ids('title:wheat -author:ada'), [2]);
    });

    test('the type and the extension of a document are looked into only by their name', async () => {
      const of = await fresh();
      const Properties = { type: 'text/html', extension: 'html', kind: 'html page' };
      const Documents = documentsJson([
        { DocID: 1, Url: 'http://a/', Title: 'A', Text: 'of rye', Properties },
        { DocID: 2, Url: 'http://b/', Title: 'B', Text: 'a text', Properties: { type: 'text/html' } },
      ]);
      await of.call(putDocumentTexts, { Documents });
      assert.deepEqual(await idsIn(of, 'text'), [2]);
      assert.deepEqual(await idsIn(of, 'html'), [1], 'another property is found without its name');
      assert.deepEqual((await idsIn(of, 'type:text/html')).sort(), [1, 2]);
      assert.deepEqual(await idsIn(of, 'extension:html'), [1]);
    });

    test('wor* finds words by their beginning', async () => {
      assert.deepEqual((await ids('gran*')).sort(), [1, 4]);
      assert.deepEqual(await ids('author:love*'), [1]);
    });

    test('characters of four bytes and scripts without blanks are found', async () => {
      assert.deepEqual(await ids('🚀'), [4]);
      assert.deepEqual(await ids('𠮷野家'), [4]);
      assert.deepEqual(await ids('日本'), [4]);
      assert.deepEqual(await ids('本日'), []);
      assert.deepEqual((await ids('granary')).sort(), [1, 4], 'mathematical letters are letters');
    });

    test('snippets show the words where they stand', async () => {
      const { sets } = await client.call(find, { Text: 'rye -wheat dark' });
      assert.equal(sets.Found[0]?.Snippet, 'How «rye» is stored in a granary: dry, cool and «dark».');
    });

    test('@First and @Count turn pages, @Total counts all', async () => {
      const page = async (First: number, Count: number) => {
        const { output, sets } = await client.call(find, { Text: 'the', First, Count });
        return [output.Total, sets.Found.map(({ Place }) => Place)];
      };
      assert.deepEqual(await page(1, 1), [2, [1]]);
      assert.deepEqual(await page(2, 5), [2, [2]]);
      assert.deepEqual(await page(9, 5), [2, []]);
      await assert.rejects(client.call(find, { Text: 'the', Count: 1001 }), { number: 50000 });
      await assert.rejects(client.call(find, { Text: 'the', First: 0 }), { number: 50000 });
    });

    test('whatever is asked is answered: no text is an error of the engine', async () => {
      for (const Text of nastyTexts()) await client.call(find, { Text });
    });

    test('SQL clients call it: EXEC granary.Find, and the catalog lists it in its schema', async () => {
      const { sets } = await client.query("exec granary.Find @Text = N'mill', @Count = 5");
      assert.equal(sets[0]?.[0]?.['DocID'], 3);
      await assert.rejects(client.query("exec Find @Text = N'mill'"), { number: 2812 });
      const listed = await client.query(
        "select schema_name(schema_id) as s, name from sys.procedures where name in ('Find', 'PutDocumentTexts') order by name",
      );
      assert.deepEqual(listed.sets[0], [
        { s: 'granary', name: 'Find' },
        { s: 'granary', name: 'PutDocumentTexts' },
      ]);
    });

    test('a text that comes again takes the place of the one before; the documents of the store take theirs along', async () => {
      const own = await fresh();
      const put = (DocID: number, Text: string) =>
        own.call(putDocumentTexts, { Documents: documentsJson([{ DocID, Text }]) });
      await put(1, 'apples');
      await put(2, 'pears');
      await put(1, 'plums');
      assert.deepEqual(await idsIn(own, 'apples'), []);
      assert.deepEqual(await idsIn(own, 'plums'), [1]);
      await own.call(putDocumentTexts, {
        Documents: documentsJson([
          { DocID: 3, Text: 'first' },
          { DocID: 3, Text: 'last' },
        ]),
      });
      assert.deepEqual(await idsIn(own, 'first'), []);
      assert.deepEqual(await idsIn(own, 'last'), [3]);
      await using gone = await server.connect(own.databaseName);
      await change(gone, 1, { documents: [1] });
      assert.deepEqual(await idsIn(own, 'plums'), []);
      await own.call(resetCatalog, { nCatalogId: 1 });
      assert.deepEqual(await idsIn(own, 'pears'), []);
      await put(2, 'pears');
      assert.deepEqual(await idsIn(own, 'pears'), [2]);
    });

    test('granary.MergeTexts makes one of the parts of the index, in steps, and everything is found as before', async () => {
      const own = await fresh();
      const words = (DocID: number) => Array.from({ length: 40 }, (_, at) => `w${DocID}x${at}`).join(' ');
      for (let DocID = 1; DocID <= 20; DocID++) {
        await own.call(putDocumentTexts, { Documents: documentsJson([{ DocID, Text: `rye ${words(DocID)}` }]) });
      }
      await own.call(putDocumentTexts, { Documents: documentsJson([{ DocID: 3, Text: 'wheat' }]) });
      let steps = 0;
      for (let IsMerged: boolean | null = false; IsMerged !== true; steps++) {
        ({ IsMerged = true } = (await own.call(mergeTexts, { IsFirst: steps === 0 })).output);
      }
      if (engine === 'sqlite') {
        const database = await server.granary.engine.open(own.databaseName);
        const parts = sql`select count(distinct segid) as "n" from doc_words_idx`;
        assert.deepEqual(await database?.read((db) => db.first({ n: int }, parts)), { n: 1 });
      }
      assert.equal((await idsIn(own, 'rye')).length, 10);
      assert.deepEqual(
        [await idsIn(own, 'wheat'), await idsIn(own, 'w3x1'), await idsIn(own, 'w20x7')],
        [[3], [], [20]],
      );
      assert.equal((await own.call(mergeTexts, {})).output.IsMerged, true, 'nothing is left to merge');
    });

    test('bad documents are refused by their place, and leave nothing', async () => {
      const own = await fresh();
      const put = (Documents: string) => own.call(putDocumentTexts, { Documents });
      await assert.rejects(put('['), { number: 50000, message: /no JSON/ });
      await assert.rejects(put('{}'), { number: 50000, message: /JSON array/ });
      await assert.rejects(put('[{"DocID":1,"Text":"kept?"},{"DocID":"2"}]'), { number: 50000, message: /Document 2/ });
      assert.deepEqual(await idsIn(own, 'kept'), []);
      await put('[]');
      await put('[{"DocID":7,"Text":"a \\u0000 NUL and half \\ud83d","Properties":{"n":[1,null,true]}}]');
      assert.deepEqual(await idsIn(own, 'NUL'), [7]);
    });

    test('a text of any length is taken: of more than is kept the beginning is found', async () => {
      const own = await fresh();
      const many = Array.from({ length: 60_000 }, (_, at) => `word${at}`).join(' ');
      const long = `beginning ${'x'.repeat(5000)} ${many}`;
      await own.call(putDocumentTexts, { Documents: documentsJson([{ DocID: 1, Text: long }]) });
      assert.deepEqual(await idsIn(own, 'beginning'), [1]);
      assert.deepEqual(await idsIn(own, 'word9'), [1]);
      assert.ok(long.length > longestText);
      const wide = '𝄞𠮷'.repeat(longestText);
      await own.call(putDocumentTexts, { Documents: documentsJson([{ DocID: 2, Text: wide }]) });
      assert.deepEqual(await idsIn(own, '𠮷'), [2]);
    });
  });
});
