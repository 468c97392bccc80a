import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CrawlFarm, forEachCrawlFarm } from '../farm.ts';

const ask = async ({ stage }: CrawlFarm, more: object = {}): Promise<number> => {
  const { misc } = await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1, ...more });
  assert.ok(typeof misc === 'number');
  return misc;
};
const begin = async (farm: CrawlFarm, more: object = {}): Promise<number> => {
  const CrawlID = await ask(farm, more);
  await farm.stage(102, { CrawlID, CrawlType: 1, ContentSourceID: 1, ...more });
  await farm.stage(108, { CrawlID, MiscInputData: 0 });
  return CrawlID;
};
/** A crawl that runs, all of its components too. */
const run = async (farm: CrawlFarm, components = [0]): Promise<number> => {
  const CrawlID = await begin(farm);
  await farm.stage(103, { CrawlID });
  for (const ComponentID of components) await farm.stage(106, { CrawlID, ComponentID });
  await farm.stage(104, { CrawlID });
  return CrawlID;
};
const request = async ({ rows }: CrawlFarm, CrawlID: number) =>
  (await rows(`select Request from CrawlStatus where CrawlID = ${CrawlID}`))[0]?.['Request'];

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.8 stage 100: a requested crawl gets a number greater than every earlier one', () =>
    withFarm(async (farm) => {
      const { stage, rows, clock } = farm;
      assert.equal(await ask(farm), 2);
      assert.equal(await ask(farm, { ProjectID: 2, CrawlType: 2, MiscInputData: 2 }), 3);
      await stage(91);
      assert.deepEqual(await rows('select * from CrawlStatus'), []);
      assert.equal(await ask(farm, { MiscInputData: 9, ContentSourceID: 4 }), 4, 'also after a reset');
      assert.deepEqual(await rows('select * from CrawlStatus'), [
        {
          CrawlID: 4,
          ProjectID: 1,
          CrawlType: 1,
          ContentSourceID: 4,
          Status: 0,
          SubStatus: 0,
          Request: 1,
          RequestTime: clock.now(),
          StartTime: null,
          EndTime: null,
          MainCrawlID: 0,
        },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.8 stage 102: a crawl is forbidden while another of its content source and project is under way', () =>
    withFarm(async (farm) => {
      const { stage } = farm;
      const first = await begin(farm);
      const second = await ask(farm);
      const begun = (CrawlID: number, ContentSourceID: number, CrawlType = 1) =>
        stage(102, { CrawlID, ContentSourceID, CrawlType });
      assert.deepEqual(await begun(second, 1), { misc: second, status: 5, subStatus: 0 });
      assert.equal(await request(farm, second), 0);
      assert.equal((await begun(await ask(farm, { ContentSourceID: 2 }), 2)).status, 1, 'another content source');
      assert.equal((await begun(await ask(farm, { ProjectID: 2 }), 1)).status, 1, 'another project');
      assert.equal((await begun(await ask(farm), 1, 3)).status, 1, 'a delete crawl');
      await stage(114, { CrawlID: first });
      assert.equal((await begun(await ask(farm), 1)).status, 1, 'when the first is over');
    }));

  test('MS-SQLPGAT2 3.1.5.8 stage 102, 3.1.5.32: a delete crawl takes the requests of its content source that none has', () =>
    withFarm(async (farm) => {
      const { stage, rows } = farm;
      await stage(160, { ContentSourceID: 1 });
      await stage(161, { ContentSourceID: 1, MiscInputData: 7 });
      await stage(160, { ContentSourceID: 2 });
      assert.equal((await stage(164, { ProjectID: 1, ContentSourceID: 1, CrawlID: 99 })).misc, 99);
      const [found] = await rows('exec proc_MSS_GetCrawls null, 1, 1');
      assert.deepEqual([found?.['CrawlID'], found?.['CrawlType'], found?.['Request'], found?.['Status']], [2, 3, 1, 0]);
      await stage(102, { CrawlID: 2, CrawlType: 3, ContentSourceID: 1 });
      assert.deepEqual(await rows('exec proc_MSS_GetDeleteCrawl 2'), [
        { ContentSourceID: 1, StartAddressID: 0 },
        { ContentSourceID: 1, StartAddressID: 7 },
      ]);
      await stage(164, { ProjectID: 1, ContentSourceID: 1 });
      await stage(102, { CrawlID: 3, CrawlType: 3, ContentSourceID: 1 });
      assert.deepEqual(await rows('exec proc_MSS_GetDeleteCrawl 3'), []);
      assert.equal((await rows('exec proc_MSS_GetDeleteCrawl 2')).length, 2);
    }));

  test('MS-SQLPGAT2 3.1.5.8 stages 104, 106: crawling begins when the last component has started, and not once more after that', () =>
    withFarm(
      async (farm) => {
        const { stage } = farm;
        const CrawlID = await begin(farm);
        await stage(103, { CrawlID });
        for (const ComponentID of [0, 1, 2]) {
          assert.deepEqual(await stage(104, { CrawlID }), { misc: CrawlID, status: 1, subStatus: 2 });
          await stage(106, { CrawlID, ComponentID });
        }
        assert.deepEqual(await stage(104, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 1 });
        await stage(144, { CrawlID });
        assert.deepEqual(await stage(104, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 3 });
      },
      { components: [3] },
    ));

  test('MS-SQLPGAT2 3.2.5.1: a component that says by stage 16 that it can start has started as by stage 106', () =>
    withFarm(async (farm) => {
      const { stage, rows } = farm;
      const CrawlID = await begin(farm);
      await stage(103, { CrawlID });
      assert.deepEqual(await stage(16, { CrawlID, ComponentID: 0 }), { misc: CrawlID, status: 1, subStatus: 2 });
      assert.deepEqual(await rows('select ComponentID, Status from CrawlComponentStatus'), [
        { ComponentID: 0, Status: 4 },
      ]);
      assert.deepEqual(await stage(104, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 1 });
    }));

  test('MS-SQLPGAT2 3.1.5.8 stages 140, 142, 143, 144: a crawl moves on when all components have nothing to do', () =>
    withFarm(
      async (farm) => {
        const { stage } = farm;
        const CrawlID = await run(farm, [0, 1]);
        await stage(142, { CrawlID, ComponentID: 0 });
        assert.equal((await stage(140, { CrawlID })).subStatus, 1);
        await stage(142, { CrawlID, ComponentID: 1 });
        await stage(143, { CrawlID, ComponentID: 0 });
        assert.equal((await stage(140, { CrawlID })).subStatus, 1, 'one is busy again');
        await stage(142, { CrawlID, ComponentID: 0 });
        assert.equal((await stage(140, { CrawlID })).subStatus, 2);
        assert.equal((await stage(140, { CrawlID })).subStatus, 2, 'the master has to move unvisited items first');
        assert.equal((await stage(144, { CrawlID })).subStatus, 3);
        assert.equal((await stage(140, { CrawlID })).subStatus, 3, 'all count as busy');
        for (const ComponentID of [0, 1]) await stage(142, { CrawlID, ComponentID });
        assert.equal((await stage(140, { CrawlID })).subStatus, 4);
        await stage(150, { CrawlID });
        assert.deepEqual(await stage(140, { CrawlID }), { misc: CrawlID, status: 14, subStatus: 1 });
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stage 140: nothing is done while a store takes part and none of its components does', () =>
    withFarm(
      async (farm) => {
        const { stage } = farm;
        const CrawlID = await begin(farm);
        await stage(108, { CrawlID, MiscInputData: 1 });
        await stage(103, { CrawlID });
        for (const ComponentID of [0, 1]) await stage(106, { CrawlID, ComponentID });
        await stage(104, { CrawlID });
        await stage(162, { MiscInputData: 1 });
        await stage(142, { CrawlID, ComponentID: 0 });
        assert.equal((await stage(140, { CrawlID })).subStatus, 1, 'nobody has visited what the second store has');
        await stage(94, { ComponentID: 1 });
        assert.equal((await stage(140, { CrawlID })).subStatus, 1, 'its component is there again, and works');
        await stage(142, { CrawlID, ComponentID: 1 });
        assert.equal((await stage(140, { CrawlID })).subStatus, 2);
      },
      { components: [1, 1] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stage 140: anchor and delete crawls have no unvisited items', () =>
    withFarm(async (farm) => {
      const { stage } = farm;
      for (const more of [{ ProjectID: 2 }, { CrawlType: 3 }]) {
        const CrawlID = await begin(farm, more);
        await stage(103, { CrawlID });
        await stage(106, { CrawlID, ComponentID: 0 });
        await stage(104, { CrawlID });
        await stage(142, { CrawlID, ComponentID: 0 });
        assert.equal((await stage(140, { CrawlID })).subStatus, 4);
      }
    }));

  test('MS-SQLPGAT2 3.1.5.8 stages 110 to 114: a crawl is asked to stop, stops with its components, and is over', () =>
    withFarm(
      async (farm) => {
        const { stage, rows, clock } = farm;
        const CrawlID = await run(farm, [0, 1]);
        await stage(110, { ContentSourceID: 2 });
        assert.equal(await request(farm, CrawlID), 0, 'another content source');
        await stage(110, { ContentSourceID: 1 });
        assert.equal(await request(farm, CrawlID), 2);
        assert.deepEqual(await stage(111, { CrawlID }), { misc: CrawlID, status: 13, subStatus: 1 });
        assert.equal(await request(farm, CrawlID), 0);
        await stage(110, { ContentSourceID: 1 });
        assert.equal(await request(farm, CrawlID), 0, 'it stops already');
        assert.deepEqual((await rows('exec proc_MSS_GetCrawls 0, 1, 0')).length, 1);
        await stage(112, { CrawlID, ComponentID: 0 });
        assert.deepEqual(await rows('exec proc_MSS_GetCrawls 0, 1, 0'), [], 'the component has done its part');
        assert.equal((await stage(113, { CrawlID })).subStatus, 1);
        await stage(112, { CrawlID, ComponentID: 1 });
        assert.deepEqual(await stage(113, { CrawlID }), { misc: CrawlID, status: 13, subStatus: 2 });
        assert.deepEqual(await stage(114, { CrawlID }), { misc: CrawlID, status: 12, subStatus: 0 });
        assert.deepEqual(await rows('select EndTime from CrawlStatus'), [{ EndTime: clock.now() }]);
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stage 110: a delete crawl is not asked to stop', () =>
    withFarm(async (farm) => {
      const CrawlID = await begin(farm, { CrawlType: 3 });
      await farm.stage(110, { ContentSourceID: 1 });
      assert.equal(await request(farm, CrawlID), 0);
    }));

  test('MS-SQLPGAT2 3.1.5.8 stages 120 to 133: a crawl pauses and goes on where it was', () =>
    withFarm(
      async (farm) => {
        const { stage } = farm;
        const CrawlID = await run(farm, [0, 1]);
        await stage(144, { CrawlID });
        await stage(130, { ContentSourceID: 1 });
        assert.equal(await request(farm, CrawlID), 0, 'it is not paused');
        await stage(120, { ContentSourceID: 1 });
        assert.equal(await request(farm, CrawlID), 3);
        assert.deepEqual(await stage(121, { CrawlID }), { misc: CrawlID, status: 8, subStatus: 3 });
        await stage(122, { CrawlID, ComponentID: 0 });
        assert.equal((await stage(123, { CrawlID })).status, 8);
        await stage(122, { CrawlID, ComponentID: 1 });
        assert.equal((await stage(123, { CrawlID })).status, 9);
        await stage(120, { ContentSourceID: 1 });
        assert.equal(await request(farm, CrawlID), 0, 'it is paused');
        await stage(130, { ContentSourceID: 1 });
        assert.equal(await request(farm, CrawlID), 4);
        assert.deepEqual(await stage(131, { CrawlID }), { misc: CrawlID, status: 7, subStatus: 3 });
        assert.equal(await request(farm, CrawlID), 0);
        await stage(132, { CrawlID, ComponentID: 0 });
        assert.equal((await stage(133, { CrawlID })).status, 7);
        await stage(132, { CrawlID, ComponentID: 1 });
        assert.deepEqual(await stage(133, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 3 });
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stage 148: an anchor crawl that was forbidden while another ran is requested again, once', () =>
    withFarm(async (farm) => {
      const { stage, rows } = farm;
      const portal = await begin(farm);
      const running = await begin(farm, { ProjectID: 2, CrawlType: 2, MiscInputData: portal });
      const forbidden = await ask(farm, { ProjectID: 2, CrawlType: 2, MiscInputData: 77 });
      await stage(102, { CrawlID: forbidden, CrawlType: 2, ContentSourceID: 1 });
      await stage(148, { CrawlID: running, ProjectID: 2 });
      const again = await rows('exec proc_MSS_GetCrawls 0, 2, 1');
      assert.deepEqual(again, [
        { CrawlID: 5, CrawlType: 2, Status: 0, SubStatus: 0, Request: 1, ContentSourceID: 1, MainCrawlID: 77 },
      ]);
      await stage(148, { CrawlID: 5, ProjectID: 2 });
      assert.deepEqual(await rows('exec proc_MSS_GetCrawls 0, 2, 1'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.8 stage 148: every anchor crawl that was forbidden is requested again, whichever was asked for first', () =>
    withFarm(async (farm) => {
      const { stage, rows } = farm;
      const anchors = { ProjectID: 2, CrawlType: 2 };
      const ids: number[] = [];
      for (const MiscInputData of [71, 72, 73]) ids.push(await ask(farm, { ...anchors, MiscInputData }));
      const statuses = [];
      for (const CrawlID of ids) {
        statuses.push((await stage(102, { CrawlID, CrawlType: 2, ContentSourceID: 1 })).status);
      }
      assert.deepEqual(statuses, [5, 5, 1], 'two that wait are in the way of the first');
      let last = ids.at(-1) ?? 0;
      for (const main of [72, 71]) {
        await stage(148, { CrawlID: last, ProjectID: 2 });
        const again = await rows('exec proc_MSS_GetCrawls 0, 2, 1');
        assert.deepEqual(
          again.map((row) => [row['Request'], row['CrawlType'], row['ContentSourceID'], row['MainCrawlID']]),
          [[1, 2, 1, main]],
        );
        last = Number(again[0]?.['CrawlID']);
        assert.equal((await stage(102, { CrawlID: last, CrawlType: 2, ContentSourceID: 1 })).status, 1);
      }
      await stage(148, { CrawlID: last, ProjectID: 2 });
      assert.deepEqual(await rows('exec proc_MSS_GetCrawls 0, 2, 1'), [], 'and each of them once');
    }));

  test('granary.WaitForCrawls waits until a crawl goes on, asked for over another session, and says when there is none', () =>
    withFarm(async (farm) => {
      const other = await farm.connect(farm.store);
      await other.batch(`use [${farm.adminDatabase.name}]`);
      const wait = async (milliseconds: number) =>
        (await other.batch(`exec granary.WaitForCrawls ${milliseconds}`)).status;
      assert.equal(await wait(20), 1);
      const waiting = wait(60_000);
      const CrawlID = await run(farm);
      assert.equal(await waiting, 0);
      assert.equal(await wait(0), 0);
      await farm.stage(114, { CrawlID });
      assert.equal(await wait(0), 1, 'one that is stopped goes on no more');
      for (const wrong of [-1, 60_001]) await assert.rejects(wait(wrong), /a wait takes 0 to 60000/);
    }));

  test('MS-SQLPGAT2 3.1.5.8: stages of crawls, stores and components that are not there, and unknown stages, change nothing', () =>
    withFarm(async (farm) => {
      const { stage, rows } = farm;
      const CrawlID = await begin(farm);
      await stage(160, { ContentSourceID: 1 });
      const sets = ['CrawlStatus', 'CrawlComponentStatus', 'CrawlStoreStatus', 'RequestedDeleteCrawls'];
      const all = async () => {
        const found = [];
        for (const set of sets) found.push(await rows(`select * from ${set}`));
        return found;
      };
      const before = await all();
      for (const number of [103, 104, 105, 106, 111, 113, 114, 121, 123, 131, 133, 140, 142, 144, 146, 147, 150, 152]) {
        assert.deepEqual(await stage(number, { CrawlID: 999, ComponentID: 0 }), { misc: 999, status: 0, subStatus: 0 });
      }
      for (const CrawlType of [1, 3]) await stage(102, { CrawlID: 999, CrawlType, ContentSourceID: 1 });
      for (const ProjectID of [1, 2]) await stage(148, { CrawlID: 999, ProjectID });
      await stage(108, { CrawlID: 999, MiscInputData: 0 });
      await stage(108, { CrawlID, MiscInputData: 77 });
      assert.equal((await farm.admin.batch('exec proc_MSS_CrawlStoreToJoinAllOngoingCrawls 77')).status, 0);
      for (const number of [106, 112, 122, 132, 142, 143, 147]) {
        assert.equal((await stage(number, { CrawlID, ComponentID: 42 })).misc, CrawlID);
      }
      for (const number of [95, 97]) assert.equal((await stage(number, { CrawlID, ComponentID: 42 })).misc, 0);
      for (const number of [0, -1, 16, 101, 9999]) {
        assert.deepEqual(await stage(number, { CrawlID }), { misc: CrawlID, status: 1, subStatus: 1 });
      }
      assert.deepEqual(await all(), before);
    }));
});
