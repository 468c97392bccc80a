import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCrawls } from '../../../../src/protocols/search/crawls/get-crawls.ts';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { createNewComponentRecord } from '../../../../src/protocols/search/status-changes/create-new-component-record.ts';
import { getPauseCrawlsReasons } from '../../../../src/protocols/search/status-changes/get-pause-crawls-reasons.ts';
import { getPauseStatus } from '../../../../src/protocols/search/status-changes/get-pause-status.ts';
import { isPauseCrawlsPortalContentDone } from '../../../../src/protocols/search/status-changes/is-pause-crawls-portal-content-done.ts';
import { isSystemPausedForRefactoring } from '../../../../src/protocols/search/status-changes/is-system-paused-for-refactoring.ts';
import { setRequestToPauseCrawlsPortalContent } from '../../../../src/protocols/search/status-changes/set-request-to-pause-crawls-portal-content.ts';
import type { TestClient } from '../../../support/client.ts';
import {
  addCrawlComponents,
  administration,
  anchor,
  askForPause,
  askForReset,
  askForResume,
  complete,
  crawl,
  crawls,
  isDone,
  masterMerge,
  nameOf,
  portal,
  told,
} from '../status-changes/components.ts';
import { forEachSearch, type SearchDatabase } from '../with-search.ts';

/** A component on an application server of its own, in both projects. */
class Component {
  readonly client: TestClient;
  readonly name: string;
  readonly isAdmin: boolean;

  constructor(client: TestClient, type: number, number = 0) {
    this.client = client;
    this.name = nameOf(type, number);
    this.isAdmin = type === administration;
  }

  static async start({ connect }: SearchDatabase, type: number, number = 0): Promise<Component> {
    const component = new Component(await connect(), type, number);
    for (const ProjectName of [portal, anchor]) {
      await component.client.call(createNewComponentRecord, {
        ComponentName: component.name,
        ProjectName,
        ComponentType: type,
        ComponentId: type === crawl ? number : null,
      });
    }
    return component;
  }

  /** The poll of every ten seconds: does what is asked for, project by project, and returns what that was. */
  async poll(): Promise<unknown[]> {
    const did: unknown[] = [];
    for (const project of [portal, anchor]) {
      const [due, ...what] = await told(this.client, this.name, project, this.isAdmin);
      if (due !== 1) continue;
      did.push(what);
      await complete(this.client, this.name, project);
    }
    return did;
  }

  /** Whether crawls, and master merges, of the portal content are paused. */
  async paused(): Promise<boolean[]> {
    const { output } = await this.client.call(getPauseStatus, { ComponentName: this.name, ProjectName: portal });
    return [output['lAreCrawlsPaused'] === 1, (Number(output['lIsMasterMergePaused']) & 1) === 1];
  }
}

const status = async (client: TestClient, procedure: Parameters<TestClient['callLoosely']>[0], input: object = {}) =>
  (await client.callLoosely(procedure, { ...input })).status;
const backup = 0x2;
const refactoring = 0x20;
const [pauseCrawls, resumeCrawls] = [
  [0, 1, crawls],
  [0, 0, crawls],
];

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.2.5.5: crawls pause on all components, go on pausing for another reason, and resume', () =>
    withSearch(async (search) => {
      const { client, database } = search;
      await addCrawlComponents(database, [1, 1]);
      const [one, two] = [await Component.start(search, crawl, 0), await Component.start(search, crawl, 1)];
      assert.deepEqual(await one.poll(), []);

      await askForPause(client, crawls, backup);
      assert.equal(await isDone(client, 'pause', crawls), false);
      assert.deepEqual(await one.poll(), [pauseCrawls, pauseCrawls]);
      assert.deepEqual(await one.paused(), [true, false]);
      assert.deepEqual(await two.paused(), [false, false], 'until it has polled');
      assert.equal(await isDone(client, 'pause', crawls), false, 'the second has not');
      assert.deepEqual(await two.poll(), [pauseCrawls, pauseCrawls]);
      assert.equal(await isDone(client, 'pause', crawls), true);
      assert.equal(await status(client, getPauseCrawlsReasons), backup);

      await askForPause(client, crawls, 0x80);
      assert.equal(await isDone(client, 'pause', crawls), false);
      assert.deepEqual([await one.poll(), await two.poll()], [[], []], 'nothing to do, but the reason is theirs now');
      assert.equal(await isDone(client, 'pause', crawls), true);
      assert.equal(await status(client, getPauseCrawlsReasons), backup | 0x80);

      await askForResume(client, crawls);
      assert.equal(await isDone(client, 'resume', crawls, backup | 0x80), false);
      for (const component of [one, two]) assert.deepEqual(await component.poll(), [resumeCrawls, resumeCrawls]);
      assert.equal(await isDone(client, 'resume', crawls, backup | 0x80), true);
      assert.deepEqual(await one.paused(), [false, false]);
      assert.equal(await status(client, getPauseCrawlsReasons), 0);
    }));

  test('MS-SQLPGAT2 3.2.5.5: while databases are repartitioned the portal content pauses first, then everything', () =>
    withSearch(async (search) => {
      const { client, database } = search;
      await addCrawlComponents(database, [1, 3]);
      const component = await Component.start(search, crawl, 0);
      await Component.start(search, crawl, 1);
      assert.equal(await status(client, isPauseCrawlsPortalContentDone), 0);

      await client.call(setRequestToPauseCrawlsPortalContent, { Reason: refactoring });
      assert.equal(await status(client, isPauseCrawlsPortalContentDone), 0);
      assert.deepEqual(await component.poll(), [pauseCrawls], 'in one project only');
      assert.equal(await status(client, isPauseCrawlsPortalContentDone), 1, 'the disabled one does not count');
      assert.equal(await status(client, isSystemPausedForRefactoring, { Reason: refactoring }), 0);

      await askForPause(client, crawls, refactoring);
      assert.deepEqual(await component.poll(), [pauseCrawls], 'now in the other one too');
      assert.equal(await status(client, isSystemPausedForRefactoring, { Reason: refactoring }), 1);
      assert.equal(await isDone(client, 'pause', crawls), true);
    }));

  test('MS-SQLPGAT2 3.2.5.5: a reset comes to crawl components first and to the administration component last', () =>
    withSearch(async (search) => {
      const { client, database } = search;
      await addCrawlComponents(database, [1, 1]);
      const workers = [await Component.start(search, crawl, 0), await Component.start(search, crawl, 1)];
      const admin = await Component.start(search, administration);
      await askForReset(client);
      const { sets } = await client.call(getCrawls, { ComponentID: 0, CatalogID: 1, MasterRole: true });
      assert.deepEqual(sets, [[]]);
      assert.deepEqual(await admin.poll(), []);
      for (const worker of workers) {
        assert.equal(await isDone(client, 'reset'), false);
        assert.deepEqual(await worker.poll(), [
          [1, 0, 0],
          [1, 0, 0],
        ]);
      }
      assert.equal(await isDone(client, 'reset'), false);
      assert.equal((await admin.poll()).length, 2);
      assert.equal(await isDone(client, 'reset'), true);
    }));

  test('MS-SQLPGAT2 3.2.5.5: a component that starts while master merges are paused begins paused', () =>
    withSearch(async (search) => {
      const { client, database } = search;
      await addCrawlComponents(database, [1, 1]);
      const first = await Component.start(search, crawl, 0);
      await askForPause(client, masterMerge, backup);
      await first.poll();
      const second = await Component.start(search, crawl, 1);
      assert.deepEqual(await second.paused(), [false, true]);
      assert.deepEqual(await second.poll(), []);
      assert.equal(await isDone(client, 'pause', masterMerge), true);
      await askForResume(client, masterMerge);
      for (const component of [first, second]) {
        assert.deepEqual(await component.poll(), [
          [0, 0, masterMerge],
          [0, 0, masterMerge],
        ]);
      }
      assert.equal(await isDone(client, 'resume', masterMerge, backup), true);
    }));
});
