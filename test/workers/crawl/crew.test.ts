import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { silentLog } from '../../../src/base/log/log.ts';
import { Crew } from '../../../src/cli/crawl/crew.ts';
import { readSetting, writeSetting } from '../../../src/workers/crawl/store/settings.ts';
import { forEachEngine } from '../../support/engines.ts';
import { CrawlFarm, clientOf, startCrawlServer } from './crawl-farm.ts';

forEachEngine((engine) => {
  test('crews that start at the same moment never run the same component, and take over from those that died', async () => {
    await using server = await startCrawlServer(engine);
    await using farm = await CrawlFarm.on(server, 'Crews', [3]);
    const name = farm.admin.databaseName;
    for (let round = 0; round < 2; round++) {
      await using clients = new AsyncDisposableStack();
      // Clients that give up at once, so that the crews meet every conflict between their claims.
      const crews = [0, 1, 2].map(() => new Crew(clients.use(clientOf(server, name, { attempts: 1 })), silentLog));
      for (const crew of crews) clients.use(crew);
      await Promise.all(crews.map((crew) => crew.start()));
      assert.deepEqual(crews.flatMap(({ components }) => components).toSorted(), [0, 1, 2]);
    }
    const left = await Promise.all([0, 1, 2].map((each) => readSetting(farm.admin, `Granary-crawl-component-${each}`)));
    assert.deepEqual(left, [undefined, undefined, undefined], 'who ends gives its claims back');

    // A claim of a crew elsewhere is taken over when it is old, and one of a process that is gone at once.
    const claim = (component: number, at: number, host = 'elsewhere.invalid', process = 1) => {
      const text = JSON.stringify({ crew: 'other', host, process, at });
      return writeSetting(farm.admin, `Granary-crawl-component-${component}`, text);
    };
    await claim(0, Date.now() + 60_000);
    await claim(1, Date.now() - 60_000);
    await claim(2, Date.now() + 60_000, hostname(), 0x7fff_fff0);
    await using crew = new Crew(farm.admin, silentLog);
    await crew.start();
    assert.deepEqual(crew.components, [1, 2]);
  });
});
