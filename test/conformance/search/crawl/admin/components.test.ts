import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CrawlFarm, forEachCrawlFarm } from '../farm.ts';

const minute = 60_000;
const states = ({ rows }: CrawlFarm) => rows('select State, Master from CrawlComponents order by CrawlComponentNumber');
const joined = ({ rows }: CrawlFarm) =>
  rows('select CrawlID, ComponentID, Status from CrawlComponentStatus order by 1, 2');
const noComponent = 0x7fffffff;

/** A crawl that is under way, with the stores that are named. */
async function ongoing({ stage }: CrawlFarm, ...stores: readonly number[]): Promise<number> {
  const { misc } = await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
  assert.ok(typeof misc === 'number');
  await stage(102, { CrawlID: misc, CrawlType: 1, ContentSourceID: 1 });
  for (const store of stores) await stage(108, { CrawlID: misc, MiscInputData: store });
  return misc;
}

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.8 stage 94: a component is ready and joins the crawls of its store that are not over', () =>
    withFarm(
      async (farm) => {
        const { stage } = farm;
        await stage(98, { ComponentID: 0, MiscInputData: 5 });
        const CrawlID = await ongoing(farm, 0);
        const other = await ongoing(farm);
        const over = await ongoing(farm, 0);
        await stage(114, { CrawlID: over });
        assert.deepEqual(await joined(farm), [
          { CrawlID, ComponentID: 1, Status: 0 },
          { CrawlID: over, ComponentID: 1, Status: 0 },
        ]);
        await stage(106, { CrawlID, ComponentID: 1 });
        await stage(94, { ComponentID: 0 });
        await stage(94, { ComponentID: 1 });
        assert.deepEqual(await joined(farm), [
          { CrawlID, ComponentID: 0, Status: 0 },
          { CrawlID, ComponentID: 1, Status: 4 },
          { CrawlID: over, ComponentID: 1, Status: 0 },
        ]);
        assert.ok(other, 'forbidden');
        assert.deepEqual(await states(farm), [
          { State: 1, Master: false },
          { State: 1, Master: false },
        ]);
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stage 95: a component that reports hears its state; a disabled one is not heard', () =>
    withFarm(async (farm) => {
      const { stage, clock, rows } = farm;
      const reported = async () => (await rows('select ReportTime from CrawlComponents'))[0]?.['ReportTime'];
      assert.equal((await stage(95, { ComponentID: 0 })).misc, 1);
      assert.deepEqual(await reported(), clock.now());
      const before = clock.now();
      clock.advance(minute);
      for (const state of [3, 6]) {
        await stage(98, { ComponentID: 0, MiscInputData: state });
        assert.equal((await stage(95, { ComponentID: 0 })).misc, state);
        assert.deepEqual(await reported(), before);
      }
      assert.equal((await stage(95, { ComponentID: 9 })).misc, 0, 'one that is not known');
    }));

  test('MS-SQLPGAT2 3.1.5.8 stage 96: names a component that has been silent for too long, and 0x7fffffff otherwise', () =>
    withFarm(
      async ({ stage, clock }) => {
        for (const ComponentID of [0, 1]) await stage(95, { ComponentID });
        clock.advance(10 * minute);
        await stage(95, { ComponentID: 1 });
        assert.equal((await stage(96, { MiscInputData: 10 })).misc, noComponent, 'exactly the time is not too long');
        clock.advance(1000);
        assert.equal((await stage(96, { MiscInputData: 10 })).misc, 0);
        await stage(162, { MiscInputData: 0 });
        assert.equal((await stage(96, { MiscInputData: 10 })).misc, noComponent, 'a disabled one need not be disabled');
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stage 96: a component that never reported is silent from when a crawl began to wait for it', () =>
    withFarm(
      async ({ stage, store, clock }) => {
        const silent = async () => (await stage(96, { MiscInputData: 10 })).misc;
        await stage(95, { ComponentID: 0 });
        const { misc: first } = await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
        const crawl = { CrawlID: Number(first) };
        clock.advance(20 * minute);
        await stage(95, { ComponentID: 0 });
        assert.equal(await silent(), noComponent, 'nobody waits for it');
        await stage(108, { ...crawl, MiscInputData: store.ordinal });
        clock.advance(10 * minute);
        await stage(95, { ComponentID: 0 });
        assert.equal(await silent(), noComponent, 'exactly the time is not too long');
        clock.advance(1000);
        assert.equal(await silent(), 1);
        await stage(106, { ...crawl, ComponentID: 0 });
        await stage(103, crawl);
        assert.equal((await stage(104, crawl)).status, 1, 'the crawl waits for it');
        await stage(162, { MiscInputData: 1 });
        assert.equal((await stage(104, crawl)).status, 4, 'and goes on without it');
        assert.equal(await silent(), noComponent);
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stage 96: chooses a ready component as master when there is none, and keeps the one there is', () =>
    withFarm(
      async (farm) => {
        const { stage, admin } = farm;
        await stage(98, { ComponentID: 0, MiscInputData: 5 });
        await stage(96, { MiscInputData: 10 });
        const masters = async () => (await states(farm)).map((row) => row['Master']);
        assert.deepEqual(await masters(), [false, true, false]);
        await stage(94, { ComponentID: 0 });
        await stage(96, { MiscInputData: 10 });
        assert.deepEqual(await masters(), [false, true, false]);
        await stage(162, { MiscInputData: 1 });
        await stage(96, { MiscInputData: 10 });
        assert.deepEqual(await masters(), [true, false, false], 'a disabled master is replaced');
        await stage(98, { ComponentID: 0, MiscInputData: 5 });
        assert.deepEqual(await masters(), [false, false, false], 'an inactive one is none');
        await stage(96, { MiscInputData: 10 });
        const role = async (component: number) =>
          (await admin.batch(`declare @m bit; exec proc_MSS_GetMasterRole ${component}, @m output; select @m as m`))
            .sets[0];
        assert.deepEqual(
          [await role(2), await role(0), await role(77)],
          [[{ m: true }], [{ m: false }], [{ m: true }]],
        );
      },
      { components: [3] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stages 97, 98: tell and set the state of a component', () =>
    withFarm(async ({ stage }) => {
      assert.equal((await stage(97, { ComponentID: 0 })).misc, 1);
      assert.deepEqual(await stage(98, { ComponentID: 0, MiscInputData: 4, CrawlID: 7 }), {
        misc: 7,
        status: 0,
        subStatus: 0,
      });
      assert.equal((await stage(97, { ComponentID: 0 })).misc, 4);
      assert.equal((await stage(97, { ComponentID: 5 })).misc, 0);
    }));

  test('MS-SQLPGAT2 3.1.5.8: NULL names neither the component nor the crawl store that has the number 0', () =>
    withFarm(async (farm) => {
      const { stage, clock, rows } = farm;
      const CrawlID = await ongoing(farm);
      const all = async () => [
        await rows('select * from CrawlComponents'),
        await rows('select * from CrawlStoreStatus'),
        await rows('select * from CrawlComponentStatus'),
      ];
      const unjoined = await all();
      assert.equal((await stage(108, { CrawlID })).misc, CrawlID);
      assert.deepEqual(await all(), unjoined);
      await stage(108, { CrawlID, MiscInputData: 0 });
      await stage(95, { ComponentID: 0 });
      const before = await all();
      clock.advance(minute);
      for (const number of [95, 97, 98, 106, 112, 122, 142, 147, 162, 165]) {
        assert.deepEqual(await stage(number, { CrawlID }), { misc: CrawlID, status: 1, subStatus: 1 }, `${number}`);
      }
      assert.deepEqual(await all(), before);
      await stage(162, { MiscInputData: 0 });
      await stage(94, { CrawlID });
      assert.equal((await stage(97, { ComponentID: 0 })).misc, 3);
    }));

  test('MS-SQLPGAT2 3.1.5.8 stage 108: a store joins a crawl once, with its components that can be counted on', () =>
    withFarm(
      async (farm) => {
        const { stage, rows, clock } = farm;
        await stage(98, { ComponentID: 1, MiscInputData: 3 });
        const CrawlID = await ongoing(farm, 0);
        await stage(106, { CrawlID, ComponentID: 0 });
        await stage(98, { ComponentID: 1, MiscInputData: 1 });
        const joinedAt = clock.now();
        clock.advance(minute);
        await stage(108, { CrawlID, MiscInputData: 0 });
        assert.deepEqual(await joined(farm), [
          { CrawlID, ComponentID: 0, Status: 4 },
          { CrawlID, ComponentID: 1, Status: 0 },
        ]);
        assert.deepEqual(await rows('select * from CrawlStoreStatus'), [{ GthrDBID: 0, CrawlID, JoinTime: joinedAt }]);
      },
      { components: [2, 1] },
    ));

  test('MS-SQLPGAT2 3.1.5.8 stages 162, 165: a disabled component leaves its crawls, which then wait for the others only', () =>
    withFarm(
      async (farm) => {
        const { stage } = farm;
        const CrawlID = await ongoing(farm, 0);
        await stage(103, { CrawlID });
        await stage(106, { CrawlID, ComponentID: 0 });
        for (const [disable, state] of [
          [162, 3],
          [165, 6],
        ] as const) {
          await stage(94, { ComponentID: 1 });
          assert.equal((await stage(104, { CrawlID })).status, 1);
          await stage(disable, { MiscInputData: 1 });
          assert.equal((await states(farm))[1]?.['State'], state);
          assert.deepEqual(await joined(farm), [{ CrawlID, ComponentID: 0, Status: 4 }]);
        }
        assert.equal((await stage(104, { CrawlID })).status, 4);
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.9, 3.1.5.72: a store joins every ongoing crawl that it is not part of, and leaves them all', () =>
    withFarm(
      async (farm) => {
        const { stage, admin, rows } = farm;
        const first = await ongoing(farm, 0);
        const second = await ongoing(farm, 1);
        await stage(105, { CrawlID: second });
        const third = await ongoing(farm, 0);
        await stage(98, { ComponentID: 2, MiscInputData: 5 });
        const { status } = await admin.batch('exec proc_MSS_CrawlStoreToJoinAllOngoingCrawls 1');
        assert.equal(status, 0);
        const stores = () => rows('select CrawlID from CrawlStoreStatus where GthrDBID = 1 order by 1');
        assert.deepEqual(await stores(), [{ CrawlID: first }, { CrawlID: second }]);
        assert.deepEqual(await rows('select CrawlID from CrawlComponentStatus where ComponentID = 1 order by 1'), [
          { CrawlID: first },
          { CrawlID: second },
        ]);
        assert.ok(third, 'forbidden, as the content source is being crawled');
        await admin.batch('exec proc_MSS_RemoveCrawlStoreFromAllCrawls 1');
        assert.deepEqual(await stores(), []);
        assert.equal((await rows('select * from CrawlStoreStatus')).length, 2);
      },
      { components: [1, 2] },
    ));
});
