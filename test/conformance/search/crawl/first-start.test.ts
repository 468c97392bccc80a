import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../../support/engines.ts';
import { startServer } from '../../../support/server.ts';
import { bringLinks } from './link.ts';

forEachEngine((engine) => {
  test('after first start the search databases are there, with one component, one crawl store and one property store', async () => {
    await using server = await startServer({ engine });
    const admin = await server.connect('Search_Admin');
    const { sets } = await admin.batch(`
      select CrawlComponentNumber, CrawlStoreOrdinal, State from CrawlComponents
      select Ordinal, Name from CrawlStores
      select Name from PropertyStores`);
    assert.deepEqual(sets, [
      [{ CrawlComponentNumber: 0, CrawlStoreOrdinal: 0, State: 1 }],
      [{ Ordinal: 0, Name: 'Search_CrawlStore' }],
      [{ Name: 'Search_PropertyStore' }],
    ]);
    for (const name of ['Search_CrawlStore', 'WSS_Search']) {
      const store = await server.connect(name);
      await bringLinks(store, [{ CrawlID: 2, AccessURL: 'http://host/' }]);
      const { sets: flushed } = await store.batch(`
        declare @more bit, @max int = 100, @n int, @result int
        exec @result = proc_MSS_FlushTemp0 0, 1, 2, 0, 1, @more output, 1, @max output, @n output
        select @result as result, @n as n`);
      assert.deepEqual(flushed, [[{ result: 1, n: 1 }]], name);
    }
    const whole = await server.connect('WSS_Search');
    assert.deepEqual((await whole.batch('select Name from CrawlStores')).sets, [[{ Name: 'WSS_Search' }]]);
  });
});
