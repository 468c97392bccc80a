import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { Measures } from '../../src/base/log/measures.ts';
import type { Vouched } from '../../src/base/vouched.ts';
import type { Client } from '../../src/client/client.ts';
import { overview } from '../../src/console/api/overview.ts';
import { standstillsOf } from '../../src/console/overview/standstills.ts';
import { sql } from '../../src/engine/sql.ts';
import { config } from '../../src/protocols/config/kind.ts';
import { startTimerRunningJob } from '../../src/protocols/config/timer-jobs/start-timer-running-job.ts';
import { crawlStatus, subStatus } from '../../src/protocols/search/crawls/crawl-status.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../src/protocols/search/kinds/search-property.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { submitJob } from '../../src/protocols/translation/submit-job.ts';
import { updateConversionBatch } from '../../src/protocols/translation/update-conversion-batch.ts';
import { Administration } from '../../src/workers/crawl/administration.ts';
import { settingNames, writeSetting } from '../../src/workers/crawl/store/settings.ts';
import { batchUpdate, jobAdd } from '../conformance/jobs/documents.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';
import { addConfiguration, addSearch, asSa, guid, ids } from './sample-data.ts';

const minute = 60_000;
const family = 'translation/2010/11';

describe('what stands still, on the overview', () => {
  forEachEngine((engine) => {
    const clock = new ManualClock();
    let server: TestServer;
    let client: Client;
    before(async () => {
      const kinds = [translation, config, searchAdmin, searchCrawl, searchProperty];
      server = await startServer({ engine, kinds, clock, settings: { httpPort: 0 } });
      client = asSa(server, translation.firstDatabase);
      await addSearch(server);
    });
    after(async () => {
      await client?.close();
      await server?.[Symbol.asyncDispose]();
    });

    /** What stands still in one database, where the figures count something in it, listed behind others of its kind. */
    const look = async (
      { name: kind, firstDatabase: name }: { name: string; firstDatabase: string },
      others: readonly string[] = [],
    ) => {
      const measures = new Measures();
      for (const [figure, state] of [
        ['granary_jobs', 'waiting'],
        ['granary_crawls', 'requested'],
      ] as const) {
        measures.gauge(figure, figure, () => [{ labels: { database: name, state }, value: 1 }]);
      }
      const attach = (who: Vouched) => server.granary.attach(who);
      const databases = [...others, name].map((each, index) => ({
        name: each,
        kind,
        id: 5 + index,
        created: clock.now(),
      }));
      const found = await standstillsOf({ measures, attach, clock, kinds: async () => databases, log: silentLog });
      return found.map(({ text, page }) => [text.replace(/[\d-]+T[\d:.]+Z/, 'then'), page]);
    };

    const submit = async (JobId: bigint) => {
      await client.call(addJob, { JobId, UserToken: new Uint8Array([1]), Settings: '<s/>', Name: 'one' });
      const JobXml = jobAdd(family, [{ ItemId: 1, InputFile: 'a.docx', OutputFile: 'b.docx' }]);
      const roots = { InputRoot: 'in', OutputRoot: 'out' };
      await client.call(addGroup, { JobId, GroupId: 1, ...roots, MaxAttemptsCount: 3, JobXml });
      await client.call(submitJob, { JobId });
    };

    test('jobs that wait for longer than a farm takes to come by, where no worker is running; one that is done and still in line is none', async () => {
      await submit(0n);
      const store = await server.granary.engine.open(translation.firstDatabase);
      // The row of a job may promise items that are not there.
      await store?.write((db) => db.run(sql`update items set start_time = 1, stop_time = 2`));
      for (const JobId of [1n, 2n]) await submit(JobId);
      clock.advance(19 * minute);
      assert.deepEqual(await look(translation), []);
      clock.advance(2 * minute);
      const name = translation.firstDatabase;
      const told = `2 jobs in ${name} have been waiting since then: no worker is running. To start one: \`granary work translate\``;
      assert.deepEqual(await look(translation), [[told, `/jobs/${name}?state=waiting`]]);
      const others = Array.from({ length: 40 }, (_, at) => `Other${at}`);
      assert.deepEqual(await look(translation, others), [[told, `/jobs/${name}?state=waiting`]], 'behind many others');
      const started = [{ JobId: 1n, GroupId: 1, ItemId: 1, Worker: guid(1) }];
      await client.call(updateConversionBatch, { BatchXml: batchUpdate(family, started) });
      assert.deepEqual(await look(translation), []);
    });

    test('a crawl that no component works on or that waits to be allowed to delete, but none that is paused', async () => {
      const name = searchAdmin.firstDatabase;
      const admin = client.database(name);
      const crawl = await new Administration(admin).start(1, 'full');
      assert.deepEqual(await look(searchAdmin), []);
      clock.advance(2 * minute);
      const page = `/search/${name}/crawls/${crawl}`;
      const [[text, shown] = []] = await look(searchAdmin);
      assert.match(
        text ?? '',
        /^Crawl \d+ of Intranet .* has made no progress since then: no crawl component is running\./,
      );
      assert.equal(shown, page);
      const store = await server.granary.engine.open(name);
      const stand = (status: number, sub: number) =>
        store?.write((db) => db.run(sql`update crawls set status = ${status}, sub_status = ${sub}, request = 0`));
      await stand(crawlStatus.paused, 1);
      assert.deepEqual(await look(searchAdmin), []);
      const held = { documents: 10, unvisited: 9, urls: [], isHeld: true };
      await writeSetting(admin, settingNames.unvisited(crawl), JSON.stringify(held));
      await stand(crawlStatus.started, subStatus.started.moveUnvisited);
      const [[waits] = []] = await look(searchAdmin);
      assert.match(
        waits ?? '',
        /has been waiting since then for somebody to let it delete 9 of 10 documents, or to stop it\.$/,
      );
    });

    test('timer jobs that are due and were not begun; who may not enter their database hears nothing of them', async () => {
      const name = config.firstDatabase;
      const farm = client.database(name);
      await addConfiguration(farm);
      const job = { ServiceId: guid(9), ServerId: ids.server, JobId: ids.application };
      const at = new Date(clock.now().getTime() + minute).toISOString().slice(0, 19);
      await farm.query(
        `exec proc_ScheduleTimerJob @ServiceId = '${job.ServiceId}', @WebApplicationId = null, @ServerId = '${job.ServerId}',
          @JobId = '${job.JobId}', @StartTime = '${at}'`,
      );
      assert.deepEqual(await look(config), []);
      clock.advance(7 * minute);
      const told = `A timer job in ${name} has been due since then and not started. Its server may be down: check the SharePoint Timer Service there.`;
      assert.deepEqual(await look(config), [[told, `/configuration/${name}/timer-jobs`]]);
      // One that cannot be opened hides nothing of the others.
      assert.deepEqual(await look(config, ['Gone']), [[told, `/configuration/${name}/timer-jobs`]]);
      await server.granary.accounts.create('looker', 'Battery-Staple-9', {
        database: translation.firstDatabase,
        role: 'reader',
      });
      const seen = async (caller: ConsoleCaller) => {
        const { level, standstills } = await caller.call(overview, {});
        return [level, standstills.some(({ page }) => page === `/configuration/${name}/timer-jobs`)];
      };
      assert.deepEqual(await seen(await ConsoleCaller.logIn(server)), ['warn', true]);
      assert.equal((await seen(await ConsoleCaller.logIn(server, 'looker', 'Battery-Staple-9')))[1], false);
      await farm.call(startTimerRunningJob, { ...job, VirtualServerId: null, JobTitle: 'Runs now', TargetCount: 4 });
      assert.deepEqual(await look(config), []);
    });
  });
});
