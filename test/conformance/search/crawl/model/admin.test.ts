import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlAdmin } from '../../../../../src/protocols/search/crawls/crawl-admin.ts';
import { crawlStoreToJoinAllOngoingCrawls } from '../../../../../src/protocols/search/crawls/crawl-store-to-join-all-ongoing-crawls.ts';
import { getContentSourceDocCount } from '../../../../../src/protocols/search/crawls/get-content-source-doc-count.ts';
import { getCrawls } from '../../../../../src/protocols/search/crawls/get-crawls.ts';
import { removeCrawlStoreFromAllCrawls } from '../../../../../src/protocols/search/crawls/remove-crawl-store-from-all-crawls.ts';
import { updateCrawlStatistics } from '../../../../../src/protocols/search/crawls/update-crawl-statistics.ts';
import { searchAdmin } from '../../../../../src/protocols/search/kinds/search-admin.ts';
import { addCrawlComponent, addCrawlStore } from '../../../../../src/protocols/search/topology/topology.ts';
import { type EngineName, openEngine } from '../../../../support/engines.ts';
import { type AdminCommand, adminCommand } from './admin/commands.ts';
import { AdminHost } from './admin/host.ts';
import { AdminModel, type AdminStage } from './admin/model.ts';
import { agreeing, runs } from './agreeing.ts';

const minute = 60_000;

/** Plays commands to a model and to the server side by side; a minute passes with each. */
class AdminGame {
  readonly model = new AdminModel();
  readonly host: AdminHost;
  #now = 0;

  constructor(host: AdminHost) {
    this.host = host;
  }

  async play(step: AdminCommand): Promise<void> {
    this.#now += minute;
    const { model, host } = this;
    switch (step.type) {
      case 'stage':
        return this.#stage({ ...step, type: step.crawlType });
      case 'hear':
        return this.#hear(step.project, step.component);
      case 'hearAll':
        return this.#hear(step.project, undefined);
      case 'count': {
        model.count(step.crawl, step.component, 2);
        await host.call(updateCrawlStatistics, {
          ComponentID: step.component,
          CrawlID: step.crawl,
          SuccessCount: 2,
        });
        const { output } = await host.call(getContentSourceDocCount, { ContentSourceID: step.source });
        return assert.equal(output['SuccessCount'], model.successesOf(step.source));
      }
      case 'joinAll':
        model.joinAll(step.store, this.#now);
        await host.call(crawlStoreToJoinAllOngoingCrawls, { GthrDBID: step.store }, new Date(this.#now));
        return;
      case 'leaveAll':
        model.leaveAll(step.store);
        await host.call(removeCrawlStoreFromAllCrawls, { GthrDBID: step.store });
        return;
    }
  }

  async #stage(step: AdminStage): Promise<void> {
    const misc = this.model.run(step, this.#now) ?? step.crawl;
    const crawl = this.model.crawls.find(({ id }) => id === (step.stage === 100 ? misc : step.crawl));
    const input = {
      ComponentID: step.component,
      ProjectID: step.project,
      CrawlStage: step.stage,
      CrawlType: step.type,
      CrawlID: step.crawl,
      ContentSourceID: step.source,
      ApplicationType: 0,
      MiscInputData: step.misc,
    };
    const { output } = await this.host.call(crawlAdmin, input, new Date(this.#now));
    assert.deepEqual(output, {
      MiscOutputData: misc,
      CrawlStatus: crawl?.status ?? 0,
      CrawlSubStatus: crawl?.sub ?? 0,
    });
  }

  async #hear(project: number, component: number | undefined): Promise<void> {
    const { sets } = await this.host.call(getCrawls, {
      ComponentID: component ?? null,
      CatalogID: project,
      MasterRole: component === undefined,
    });
    assert.deepEqual(
      sets['crawls'],
      this.model.heard(project, component).map(({ id, type, status, sub, request, source, main }) => ({
        CrawlID: id,
        CrawlType: type,
        Status: status,
        SubStatus: sub,
        Request: request,
        ContentSourceID: source,
        MainCrawlID: main,
      })),
    );
  }

  async check(): Promise<void> {
    const { crawls, joined, stores, deletes, components } = this.model;
    assert.deepEqual(await this.host.state(), {
      crawls,
      joined: joined
        .toSorted((one, other) => one.crawl - other.crawl || one.component - other.component)
        .map((one) => ({ ...one, isIdle: Number(one.isIdle) })),
      stores: stores.toSorted((one, other) => one.crawl - other.crawl || one.store - other.store),
      deletes,
      components: components.map(({ store: _, isMaster, ...one }) => ({ ...one, isMaster: Number(isMaster) })),
    });
  }
}

async function agree(engine: EngineName, numRuns: number): Promise<void> {
  await using storage = await openEngine(engine, { schemas: [searchAdmin.schema] });
  const database = await storage.create('Admin', searchAdmin.name);
  await database.write(async (db) => {
    for (const components of [2, 1]) {
      const store = await addCrawlStore(db, 'Store');
      for (let made = 0; made < components; made++) await addCrawlComponent(db, store);
    }
  });
  await agreeing(
    database,
    adminCommand,
    (transaction) => new AdminGame(new AdminHost(transaction, 'search-admin')),
    numRuns,
  );
}

test(`MS-SQLPGAT2 3.1.5.8: ${runs.sqlite} random interleavings of administration, master and components agree with a model, on SQLite`, () =>
  agree('sqlite', runs.sqlite));
test(`MS-SQLPGAT2 3.1.5.8: ${runs.postgres} random interleavings of administration, master and components agree with a model, on PostgreSQL`, () =>
  agree('postgres', runs.postgres));
