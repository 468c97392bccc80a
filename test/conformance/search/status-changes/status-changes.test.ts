import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { getComponentStatusUpToDate } from '../../../../src/protocols/search/status-changes/get-component-status-up-to-date.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';
import {
  activity,
  addComponent,
  addCrawlComponents,
  administration,
  anchor,
  ask,
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
  query,
  standalone,
  told,
} from './components.ts';

const upToDate = async (client: TestClient, type: number, number: number, project = portal) =>
  (
    await client.call(getComponentStatusUpToDate, {
      ComponentType: type,
      ComponentNumber: number,
      ProjectName: project,
    })
  ).output['UpToDate'];

const [first, second] = [nameOf(crawl, 0), nameOf(crawl, 1)];

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.80: a reset is asked of every component in every project, whatever else is said', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      await addComponent(database, crawl, 0, anchor);
      assert.equal(await ask(client, 1, 7, null, 0), 1);
      assert.deepEqual(await activity(client), [
        [first, anchor, 1, 0, 0, 0, 0],
        [first, portal, 1, 0, 0, 0, 0],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.80: a pause adds its reasons to those of its level on all records, and touches nothing else', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      await addComponent(database, crawl, 0, anchor);
      assert.equal(await askForPause(client, masterMerge, 0x2), 1);
      assert.equal(await askForPause(client, crawls, 0x80), 1);
      assert.equal(await askForPause(client, crawls, 0x90), 1);
      assert.deepEqual(await activity(client), [
        [first, anchor, 0, 0x2, 0, 0x90, 0],
        [first, portal, 0, 0x2, 0, 0x90, 0],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.80: a resume leaves the reasons that it names', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      await askForPause(client, crawls, 0x82);
      assert.equal(await askForResume(client, crawls, 0x80), 1);
      assert.deepEqual(await activity(client), [[first, portal, 0, 0, 0, 0x80, 0]]);
      assert.equal(await askForResume(client, crawls), 1);
      assert.deepEqual(await activity(client), [[first, portal, 0, 0, 0, 0, 0]]);
    }));

  test('MS-SQLPGAT2 3.1.5.80: returns 0 and changes nothing for a level or a request that there is not', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      for (const level of [0, 3, -1, null]) assert.equal(await ask(client, 0, 1, level, 2), 0);
      for (const pause of [2, -1]) assert.equal(await ask(client, 0, pause, crawls, 2), 0);
      assert.deepEqual(await activity(client), [[first, portal, 0, 0, 0, 0, 0]]);
      await complete(client, first, portal, 1);
      assert.equal(await askForPause(client, crawls, 2), 1, 'nobody to ask is no fault');
    }));

  test('MS-SQLPGAT2 3.1.5.61: tells a component that it is to pause, and to resume, at which level', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      assert.deepEqual(await told(client, first), [0, 0, 0, 0]);
      for (const level of [masterMerge, crawls]) {
        await askForPause(client, level, 0x2);
        assert.deepEqual(await told(client, first.toUpperCase(), portal.toUpperCase()), [1, 0, 1, level]);
        await complete(client, first);
        assert.deepEqual(await told(client, first), [0, 0, 0, 0]);
        await askForResume(client, level);
        assert.deepEqual(await told(client, first), [1, 0, 0, level]);
        await complete(client, first);
        assert.deepEqual(await told(client, first), [0, 0, 0, 0]);
      }
    }));

  test('MS-SQLPGAT2 3.1.5.61: a pause that goes on for other reasons is taken over without a word', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      await askForPause(client, crawls, 0x2);
      await askForPause(client, masterMerge, 0x4);
      await complete(client, first);
      await askForPause(client, crawls, 0x80);
      await askForPause(client, masterMerge, 0x8);
      assert.deepEqual(await activity(client), [[first, portal, 0, 0xc, 0x4, 0x82, 0x2]]);
      assert.deepEqual(await told(client, first), [0, 0, 0, 0]);
      assert.deepEqual(await activity(client), [[first, portal, 0, 0xc, 0xc, 0x82, 0x82]]);
    }));

  test('MS-SQLPGAT2 3.1.5.61: while a reset is asked for no pause is, and reasons are not taken over', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      await askForPause(client, crawls, 0x2);
      await complete(client, first);
      await askForPause(client, crawls, 0x80);
      await askForPause(client, masterMerge, 0x2);
      await askForReset(client);
      assert.deepEqual(await told(client, first), [1, 1, 0, 1]);
      assert.deepEqual(await activity(client), [[first, portal, 1, 0x2, 0, 0x82, 0x2]]);
    }));

  test('MS-SQLPGAT2 3.1.5.61: the administration component resets after all crawl components that are not disabled', () =>
    withSearch(async ({ client, database }) => {
      await addCrawlComponents(database, [1, 3, 6]);
      for (const number of [0, 1, 2]) await addComponent(database, crawl, number, anchor);
      await addComponent(database, administration);
      const admin = nameOf(administration);
      await askForReset(client);
      assert.deepEqual(await told(client, admin, portal, true), [0, 1, 0, 0]);
      assert.deepEqual(await told(client, admin, portal, false), [1, 1, 0, 0]);
      assert.deepEqual(await told(client, first, anchor), [1, 1, 0, 0]);
      await complete(client, first, anchor);
      assert.deepEqual(await told(client, admin, portal, true), [1, 1, 0, 0]);
    }));

  test('MS-SQLPGAT2 3.1.5.61: a component or project without a record is told nothing', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      await askForReset(client);
      assert.deepEqual(await told(client, second), [0, 0, 0, 0]);
      assert.deepEqual(await told(client, first, anchor), [0, 0, 0, 0]);
    }));

  test('MS-SQLPGAT2 3.1.5.6: completes the change of one component in one project, or forgets its record', () =>
    withSearch(async ({ client, database }) => {
      for (const number of [0, 1]) await addComponent(database, crawl, number);
      await addComponent(database, crawl, 0, anchor);
      await askForPause(client, crawls, 0x2);
      await askForReset(client);
      assert.equal(await complete(client, first), 0);
      assert.deepEqual(await activity(client), [
        [first, anchor, 1, 0, 0, 2, 0],
        [first, portal, 0, 0, 0, 2, 2],
        [second, portal, 1, 0, 0, 2, 0],
      ]);
      assert.equal(await complete(client, first, anchor, 1), 0);
      assert.equal(await complete(client, 'nobody', anchor, 1), 0);
      assert.equal(await complete(client, null, null, 1), 0);
      assert.equal((await activity(client))?.length, 2);
    }));

  test('MS-SQLPGAT2 3.1.5.3: a reset is complete when no active component has it before it', () =>
    withSearch(async ({ client, database }) => {
      for (const number of [0, 1]) await addComponent(database, crawl, number);
      await askForReset(client);
      assert.equal(await isDone(client, 'reset', 9), false);
      await complete(client, first);
      assert.equal(await isDone(client, 'reset', null), false);
      await complete(client, second);
      assert.equal(await isDone(client, 'reset'), true);
    }));

  test('MS-SQLPGAT2 3.1.5.3: a pause is complete when all active components have the reasons that are desired', () =>
    withSearch(async ({ client, database }) => {
      for (const number of [0, 1]) await addComponent(database, crawl, number);
      assert.equal(await isDone(client, 'pause', crawls), false, 'nothing is paused');
      await askForPause(client, crawls, 0x2);
      await complete(client, first);
      assert.equal(await isDone(client, 'pause', crawls), false);
      await complete(client, second);
      assert.equal(await isDone(client, 'pause', crawls, 0x80), true, 'whatever the reason');
      assert.equal(await isDone(client, 'pause', masterMerge), false, 'the other level');
      for (const level of [0, 3, null]) assert.equal(await isDone(client, 'pause', level), false);
    }));

  test('MS-SQLPGAT2 3.1.5.3: a resume is complete when no active component has the reason that was lifted', () =>
    withSearch(async ({ client, database }) => {
      for (const number of [0, 1]) await addComponent(database, crawl, number);
      await askForPause(client, crawls, 0x82);
      for (const name of [first, second]) await complete(client, name);
      assert.equal(await isDone(client, 'resume', crawls, 0x80), false);
      await askForResume(client, crawls, 0x2);
      await complete(client, first);
      assert.equal(await isDone(client, 'resume', crawls, 0x80), false, 'the second lags');
      await complete(client, second);
      assert.equal(await isDone(client, 'resume', crawls, 0x80), true);
      assert.equal(await isDone(client, 'resume', crawls, 0x2), false);
      assert.equal(await isDone(client, 'nothing', crawls), false);
    }));

  test('MS-SQLPGAT2 3.1.5.3: disabled crawl components and query components that are offline do not count', () =>
    withSearch(async ({ client, database }) => {
      await addCrawlComponents(database, [1, 3, 6]);
      for (const number of [0, 1, 2]) await addComponent(database, crawl, number);
      for (const number of [0, 1]) await addComponent(database, query, number);
      await database.write((db) =>
        db.insert(
          'query_components',
          ['number', 'is_offline'],
          [
            [0, 1],
            [1, 0],
          ],
        ),
      );
      await askForReset(client);
      await complete(client, first);
      assert.equal(await isDone(client, 'reset'), false);
      await complete(client, nameOf(query, 1));
      assert.equal(await isDone(client, 'reset'), true);
    }));

  test('MS-SQLPGAT2 3.1.5.3: without any component a change that is asked for is complete', () =>
    withSearch(async ({ client }) => {
      assert.equal(await isDone(client, 'reset'), true);
      assert.equal(await isDone(client, 'pause', crawls), true);
      assert.equal(await isDone(client, 'nothing', crawls), false);
    }));

  test('MS-SQLPGAT2 3.1.5.19: a component is up to date unless a change waits for it in that project', () =>
    withSearch(async ({ client, database }) => {
      await addComponent(database, crawl);
      await addComponent(database, query);
      assert.equal(await upToDate(client, crawl, 0), 1);
      await askForPause(client, masterMerge, 0x2);
      assert.equal(await upToDate(client, crawl, 0), 0);
      assert.equal(await upToDate(client, query, 0), 0);
      assert.equal(await upToDate(client, crawl, 1), 1, 'another number');
      assert.equal(await upToDate(client, crawl, 0, anchor), 1, 'another project');
      assert.equal(await upToDate(client, standalone, 0), 1, 'another type');
      await complete(client, first);
      assert.equal(await upToDate(client, crawl, 0), 1);
      await askForPause(client, crawls, 0x2);
      assert.equal(await upToDate(client, crawl, 0), 0);
      await complete(client, first);
      await askForReset(client);
      assert.equal(await upToDate(client, crawl, 0), 0);
    }));
});
