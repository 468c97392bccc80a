import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../../src/base/log/log.ts';
import { search } from '../../../src/protocols/search/kinds/search.ts';
import { getCompiledScopes } from '../../../src/protocols/search/scopes/get-compiled-scopes.ts';
import { getConfigurationProperties } from '../../../src/protocols/search/settings/get-configuration-properties.ts';
import { addCrawlComponent, addCrawlStore, addPropertyStore } from '../../../src/protocols/search/topology/topology.ts';
import { int } from '../../../src/tds/types/index.ts';
import { ScopeCompiler } from '../../../src/workers/crawl/index.ts';
import { readSetting, removeSetting, writeSetting } from '../../../src/workers/crawl/store/settings.ts';
import { storeTexts } from '../../../src/workers/crawl/store/store-texts.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { assertSame, CrawlFarm, clientOf } from './crawl-farm.ts';
import { SiteServer } from './site/site-server.ts';

/** The one database of the Foundation role, with its one component. */
async function foundationOn(server: TestServer): Promise<CrawlFarm> {
  const { name } = await server.granary.engine.create('Foundation', search.name);
  const database = await server.granary.engine.open(name);
  assert.ok(database);
  await database.write(async (db) => {
    await addCrawlComponent(db, await addCrawlStore(db, name));
    await addPropertyStore(db, name);
  });
  return new CrawlFarm(clientOf(server, name), [name], name);
}

forEachEngine((engine) => {
  test('MS-SQLPGAT2 3.4.5: in the Foundation role one component crawls into one database', async (t) => {
    await using server = await startServer({ engine, kinds: [search] });
    await using site = await SiteServer.start({ pages: 20 });
    await using farm = await foundationOn(server);
    const rules = { errorDeleteCount: 0, errorCount: 1000 };
    const source = await farm.addSource(server, 'site', site.site.startAddresses, rules);
    await farm.startRoles([0], { texts: storeTexts });

    await t.test('3.4.5.1: a full crawl finds the pages that it should', async () => {
      await farm.crawl(source, 'full', { seconds: 120 });
      assertSame(await farm.found(), site.site.found(), 'found');
    });

    await t.test('3.3.1: there is no anchor crawl behind it', async () => {
      const [row] = await farm.admin.select({ n: int }, 'select count(*) as n from CrawlStatus');
      assert.equal(row?.n, 1);
    });

    await t.test('3.4.5.2: an incremental crawl follows what has changed, vanished and appeared', async () => {
      site.site.change({ changed: 2, vanished: 2, appeared: 2 }, 1);
      await farm.crawl(source, 'incremental', { seconds: 120 });
      assertSame(await farm.found(), site.site.found(), 'found');
    });

    await t.test('3.4.5.4: what is too long for one configuration property is set as several, at once', async () => {
      const names = async () => {
        const { sets } = await farm.admin.call(getConfigurationProperties, { Pattern: 'long%' });
        return sets.properties.map(({ Name }) => Name);
      };
      for (const length of [4001, 8000, 3999, 4000, 0]) {
        const text = 'é'.repeat(length);
        await writeSetting(farm.admin, 'long', text);
        assert.equal(await readSetting(farm.admin, 'long'), text);
      }
      await removeSetting(farm.admin, 'long');
      assert.deepEqual([await readSetting(farm.admin, 'long'), await names()], [undefined, []]);
    });

    await t.test('3.4.5.5: the one component compiles scopes', async () => {
      await using compiler = new ScopeCompiler({ admin: farm.admin, number: 0, interval: 20, log: silentLog });
      await compiler.start();
      const compiled = async () => (await farm.admin.call(getCompiledScopes, {})).sets.scopes.map((one) => one.ScopeID);
      while (!(await compiled()).includes(1)) await delay(20);
      assert.deepEqual([...compiler.compiled.keys()], [1]);
    });

    await t.test('3.4.5.3: a delete crawl leaves nothing', async () => {
      await farm.crawl(source, 'delete', { seconds: 120 });
      assert.deepEqual(await farm.history(), []);
      const [row] = await farm.properties.select({ n: int }, 'select count(*) as n from MSSDocProps');
      assert.equal(row?.n, 0);
    });
  });
});
