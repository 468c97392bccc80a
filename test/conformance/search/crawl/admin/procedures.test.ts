import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/engine/sql.ts';
import { getContentSourceDocCount } from '../../../../../src/protocols/search/crawls/get-content-source-doc-count.ts';
import { getError } from '../../../../../src/protocols/search/crawls/get-error.ts';
import { getNextDocIDChunk } from '../../../../../src/protocols/search/crawls/get-next-doc-id-chunk.ts';
import { getStatus } from '../../../../../src/protocols/search/crawls/get-status.ts';
import { updateCrawlStatistics } from '../../../../../src/protocols/search/crawls/update-crawl-statistics.ts';
import { getPauseStatus } from '../../../../../src/protocols/search/status-changes/get-pause-status.ts';
import { getHost } from '../../../../../src/protocols/search/topology/get-host.ts';
import { addPropertyStore } from '../../../../../src/protocols/search/topology/topology.ts';
import { type CrawlFarm, forEachCrawlFarm } from '../farm.ts';

const day = 86_400_000;
const chunk = async ({ admin }: CrawlFarm, GthrDBID: number, CurrentMaxDocID: number) => {
  const { output } = await admin.call(getNextDocIDChunk, { GthrDBID, CurrentMaxDocID });
  return [output['NewNextDocID'], output['NewMaxDocID']];
};
const status = async ({ admin }: CrawlFarm, ContentSourceID: number, ProjectID = 1) =>
  (await admin.call(getStatus, { ProjectID, ContentSourceID })).status;
const pause = async ({ admin }: CrawlFarm, ComponentName = 'c') =>
  Object.values((await admin.call(getPauseStatus, { ComponentName, ProjectName: 'Portal_Content' })).output);

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.47: a store gets the group of its greatest identifier, or a new one that overlaps no other', () =>
    withFarm(async (farm) => {
      assert.deepEqual(await chunk(farm, 0, 0), [1, 100_000]);
      assert.deepEqual(await chunk(farm, 1, 0), [100_001, 200_000]);
      assert.deepEqual(await chunk(farm, 0, 1), [1, 100_000]);
      assert.deepEqual(await chunk(farm, 0, 99_999), [1, 100_000]);
      assert.deepEqual(await chunk(farm, 0, 100_000), [200_001, 300_000], 'the last one is in use');
      assert.deepEqual(await chunk(farm, 0, 150_000), [300_001, 400_000], 'a group of another store');
    }));

  test('MS-SQLPGAT2 3.1.5.47: the last group ends at the greatest identifier there is, and after it there is none', () =>
    withFarm(async (farm) => {
      await farm.adminDatabase.write((db) =>
        db.run(sql`insert into doc_id_groups (first_doc_id, last_doc_id, crawl_store) values (5, 2147400000, 1)`),
      );
      assert.deepEqual(await chunk(farm, 0, 0), [2147400001, 2147483647]);
      assert.deepEqual(await chunk(farm, 0, 2147483646), [2147400001, 2147483647]);
      await assert.rejects(chunk(farm, 0, 2147483647), { number: 50000 });
    }));

  test('MS-SQLPGAT2 3.1.5.46: groups that were invalidated are not handed out again', () =>
    withFarm(async (farm) => {
      await chunk(farm, 0, 0);
      assert.equal((await farm.admin.batch('exec proc_MSS_InvalidateAdminDocIDChunks')).status, 0);
      assert.deepEqual(await chunk(farm, 0, 5), [100_001, 200_000]);
      assert.deepEqual(
        (await farm.rows('select InvalidatedByRefactoring from CurrentDocIDGroups order by FirstDocID')).map(
          (row) => row['InvalidatedByRefactoring'],
        ),
        [true, false],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.36: an HRESULT has one error for ever; one that is new is of level 2', () =>
    withFarm(async ({ admin }) => {
      const error = async (hrResult: number) => Object.values((await admin.call(getError, { hrResult })).output);
      assert.deepEqual(await error(0), [0, 0, false]);
      assert.deepEqual(await error(0x41203), [1, 0, false]);
      assert.deepEqual(await error(0x80041201 | 0), [7, 2, true]);
      assert.deepEqual(await error(0x80070005 | 0), [9, 2, false]);
      assert.deepEqual(await error(0x80070006 | 0), [10, 2, false]);
      assert.deepEqual(await error(0x80070005 | 0), [9, 2, false]);
    }));

  test('MS-SQLPGAT2 3.1.5.38: a host keeps its store and identifier; new ones go to the store with the fewest documents', () =>
    withFarm(
      async ({ admin, rows }) => {
        const host = async (HostName: string) => Object.values((await admin.call(getHost, { HostName })).output);
        await admin.batch(
          'exec proc_MSS_UpdateDocCount 0, 10; exec proc_MSS_UpdateDocCount 1, 5; exec proc_MSS_UpdateDocCount 9, 1',
        );
        assert.deepEqual(await host('www'), [1, 1]);
        await admin.batch('exec proc_MSS_UpdateDocCount 1, 50');
        assert.deepEqual(await host('intranet'), [0, 2]);
        assert.deepEqual(await host('WWW'), [1, 1]);
        assert.deepEqual(await rows('select Ordinal, DocCount from CrawlStores order by 1'), [
          { Ordinal: 0, DocCount: 10 },
          { Ordinal: 1, DocCount: 50 },
        ]);
        await assert.rejects(admin.callLoosely(getHost, { HostName: null }), { number: 515 });
      },
      { components: [1, 1] },
    ));

  test('MS-SQLPGAT2 3.1.5.36, 3.1.5.38: what is known is told without waiting for a writer', () =>
    withFarm(async ({ admin, adminDatabase }) => {
      const asked = async () => {
        const error = await admin.call(getError, { hrResult: 0x80070005 | 0 });
        const host = await admin.call(getHost, { HostName: 'www' });
        return [error.output['ErrorID'], host.output['HostID']];
      };
      const first = await asked();
      const writer = await adminDatabase.begin({ serial: true });
      try {
        await admin.batch('set lock_timeout 0');
        assert.deepEqual(await asked(), first);
      } finally {
        await writer.rollback();
      }
    }));

  test('MS-SQLPGAT2 3.1.5.38: without an active topology no host is assigned', () =>
    withFarm(async ({ admin, adminDatabase }) => {
      await adminDatabase.write(async (db) => {
        await db.run(sql`delete from crawl_components`);
        await db.run(sql`delete from crawl_stores`);
      });
      await assert.rejects(admin.call(getHost, { HostName: 'www' }), { number: 50000 });
    }));

  test('MS-SQLPGAT2 3.1.5.27, 3.1.5.28, 3.1.5.30, 3.1.5.37: stores are listed, and a component knows its own', () =>
    withFarm(
      async ({ admin, adminDatabase, rows }) => {
        const stores = await rows('exec proc_MSS_GetGathererDBs');
        assert.deepEqual(
          stores.map((row) => row['Ordinal']),
          [0, 1],
        );
        // What MS-GLOS calls a GUIDString has no braces.
        const guidString = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
        for (const row of stores) assert.match(String(row['ID']), guidString);
        assert.deepEqual(
          (await rows('exec proc_MSS_GetAllGathererDatabaseIDs')).map((row) => row['ID']),
          stores.map((row) => row['ID']),
        );
        assert.deepEqual(await rows('exec proc_MSS_GetAllPropertyStoreIDs'), []);
        await adminDatabase.write((db) => addPropertyStore(db, 'Properties'));
        const [properties, ...others] = await rows('exec proc_MSS_GetAllPropertyStoreIDs');
        assert.match(String(properties?.['ID']), guidString);
        assert.deepEqual(others, []);
        const storeOf = async (component: number) =>
          (await admin.batch(`declare @s int; exec proc_MSS_GetDatabaseID ${component}, @s output; select @s as s`))
            .sets[0]?.[0]?.['s'];
        assert.deepEqual([await storeOf(0), await storeOf(1), await storeOf(7)], [0, 1, -1]);
      },
      { components: [1, 1] },
    ));

  test('MS-SQLPGAT2 3.1.5.60: a content source has the Content Source Status of its crawl that is under way, and 0 without one', () =>
    withFarm(async (farm) => {
      const { stage } = farm;
      assert.equal(await status(farm, 1), 0);
      await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
      const CrawlID = 2;
      assert.deepEqual([await status(farm, 1), await status(farm, 2), await status(farm, 1, 2)], [12, 0, 0]);
      await stage(102, { CrawlID, CrawlType: 1, ContentSourceID: 1 });
      assert.equal(await status(farm, 1), 12);
      await stage(104, { CrawlID });
      assert.equal(await status(farm, 1), 1);
      for (const [next, expected] of [
        [121, 9],
        [123, 2],
        [131, 11],
        [133, 1],
        [150, 13],
        [111, 8],
        [114, 0],
      ] as const) {
        await stage(next, { CrawlID });
        assert.equal(await status(farm, 1), expected, `after stage ${next}`);
      }
      for (const [CrawlType, expected] of [
        [2, 6],
        [3, 10],
      ] as const) {
        const another = Number((await stage(100, { ProjectID: 1, CrawlType, ContentSourceID: 1 })).misc);
        await stage(102, { CrawlID: another, CrawlType, ContentSourceID: 1 });
        await stage(104, { CrawlID: another });
        assert.equal(await status(farm, 1), expected);
        await stage(114, { CrawlID: another });
      }
    }));

  test('MS-SQLPGAT2 3.1.5.60: asked with the content source -1 the Crawl Status of the project is told, and 0 without a crawl', () =>
    withFarm(async (farm) => {
      const { stage } = farm;
      assert.equal(await status(farm, -1), 0);
      await stage(100, { ProjectID: 1, CrawlType: 2, ContentSourceID: 1 });
      const CrawlID = 2;
      assert.equal(await status(farm, -1), 1, 'one that was asked for is about to start');
      await stage(102, { CrawlID, CrawlType: 2, ContentSourceID: 1 });
      assert.equal(await status(farm, -1), 1);
      for (const [next, expected] of [
        [104, 4],
        [121, 8],
        [123, 9],
        [131, 7],
        [133, 4],
        [150, 14],
        [111, 13],
        [114, 12],
      ] as const) {
        await stage(next, { CrawlID });
        assert.equal(await status(farm, -1), expected, `after stage ${next}`);
      }
      await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
      await stage(104, { CrawlID: 3 });
      await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 2 });
      await stage(105, { CrawlID: 4 });
      assert.equal(await status(farm, -1), 4, 'the one that is under way, not the newer one that was forbidden');
      await stage(114, { CrawlID: 3 });
      assert.deepEqual([await status(farm, -1), await status(farm, -1, 2)], [5, 0]);
    }));

  test('MS-SQLPGAT2 3.1.5.22, 3.1.5.87: counters of components grow, and are summed for the latest crawl of a source', () =>
    withFarm(
      async (farm) => {
        const { admin, stage } = farm;
        const counts = async () =>
          Object.values((await admin.call(getContentSourceDocCount, { ContentSourceID: 1 })).output);
        assert.deepEqual(await counts(), [0, 0, 0, 0, 0]);
        for (const CrawlID of [2, 3]) {
          await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
          await stage(102, { CrawlID, CrawlType: 1, ContentSourceID: 1 });
          if (CrawlID === 2) await stage(108, { CrawlID, MiscInputData: 0 });
        }
        const add = (ComponentID: number, more: object) =>
          admin.callLoosely(updateCrawlStatistics, {
            ComponentID,
            CrawlID: 2,
            SuccessCount: 0,
            WarningCount: 0,
            ErrorCount: 0,
            DeleteCount: 0,
            NotModifiedCount: 0,
            SecurityOnlyCount: 0,
            SecurityOnlyErrorCount: 0,
            LevelHighErrorCount: 0,
            RetryCount: 0,
            ...more,
          });
        await add(0, { SuccessCount: 3, WarningCount: 1, DeleteCount: 2 });
        await add(1, { SuccessCount: 4, ErrorCount: 5, LevelHighErrorCount: 1 });
        await add(0, { SuccessCount: -100, ErrorCount: null });
        await add(9, { SuccessCount: 1000 });
        assert.deepEqual(await counts(), [7, 1, 5, 2, 1], 'a forbidden crawl does not count');
        await assert.rejects(add(0, { WarningCount: 1, SuccessCount: 0x7fffffff }), { number: 8115 });
        assert.deepEqual(await counts(), [7, 1, 5, 2, 1], 'what exceeds an int leaves all as it was');
        await add(0, { SuccessCount: 0x7fffffff - 3 });
        await assert.rejects(counts(), { number: 8115 });
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.25: a component hears of the crawls that it has joined, and nobody of any while a reset is asked for', () =>
    withFarm(
      async (farm) => {
        const { stage, rows, admin } = farm;
        await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
        await stage(102, { CrawlID: 2, CrawlType: 1, ContentSourceID: 1 });
        await stage(108, { CrawlID: 2, MiscInputData: 0 });
        const heard = async (component: number) =>
          (await rows(`exec proc_MSS_GetCrawls ${component}, 1, 0`)).map((row) => [row['Status'], row['SubStatus']]);
        assert.deepEqual(await heard(0), [], 'not before the start addresses are in');
        await stage(103, { CrawlID: 2 });
        assert.deepEqual(await heard(0), [[1, 2]]);
        assert.deepEqual(await heard(1), [], 'it works for another store');
        assert.deepEqual(await rows('exec proc_MSS_GetCrawls 0, 2, 1'), [], 'another project');
        await admin.batch("exec proc_MSS_CreateNewComponentRecord 'c', 'Portal_Content', 2, 0");
        await farm.adminDatabase.write((db) => db.run(sql`update component_activity set have_reset_request = 1`));
        assert.deepEqual([await heard(0), await rows('exec proc_MSS_GetCrawls 0, 1, 1')], [[], []]);
      },
      { components: [1, 1] },
    ));

  test('MS-SQLPGAT2 3.1.5.10, 3.1.5.48, 3.1.5.49, 3.1.5.63, 3.1.5.79, 3.1.5.4: pauses of portal content for refactoring', () =>
    withFarm(async (farm) => {
      const { admin, adminDatabase } = farm;
      const returned = async (call: string) => (await admin.batch(`exec ${call}`)).status;
      assert.deepEqual(await pause(farm), [0, 0x8000]);
      await admin.batch(`
        exec proc_MSS_CreateNewComponentRecord 'c', 'Portal_Content', 2, 0
        exec proc_MSS_CreateNewComponentRecord 'c', 'AnchorProject', 2, 0`);
      assert.equal(await returned('proc_MSS_GetPauseCrawlsReasons'), 0);
      await assert.rejects(admin.batch('exec proc_MSS_SetRequestToPauseCrawlsPortalContent 1'), { number: 50000 });
      await admin.batch('exec proc_MSS_SetRequestToPauseCrawlsPortalContent 0x20');
      assert.equal(await returned('proc_MSS_GetPauseCrawlsReasons'), 0x20);
      assert.equal(await returned('proc_MSS_IsPauseCrawlsPortalContentDone'), 0);
      await admin.batch("exec proc_MSS_CreateNewComponentRecord 'late', 'Portal_Content', 2, 1");
      assert.deepEqual(
        (await farm.rows("select DPR_Crawls, CPR_Crawls from ComponentActivity where ComponentName = 'late'"))[0],
        { DPR_Crawls: 0x20, CPR_Crawls: 0x20 },
        'a new one begins paused',
      );
      await admin.batch("exec proc_MSS_CreateNewComponentRecord 'C', 'portal_content', 2, 0");
      assert.equal((await farm.rows('select * from ComponentActivity')).length, 3);
      assert.equal(await returned('proc_MSS_IsPauseCrawlsPortalContentDone'), 1);
      assert.deepEqual(await pause(farm), [1, 0x8000]);
      assert.equal(await returned('proc_MSS_IsSystemPausedForRefactoring 0x20'), 0, 'the anchor project is not');
      await adminDatabase.write((db) => db.run(sql`update component_activity set dpr_crawls = 32, cpr_crawls = 32`));
      assert.equal(await returned('proc_MSS_IsSystemPausedForRefactoring 0x20'), 1);
      for (const other of ['0x21', '0', 'null']) {
        assert.equal(await returned(`proc_MSS_IsSystemPausedForRefactoring ${other}`), 0, other);
      }
      await adminDatabase.write((db) =>
        db.run(sql`update component_activity set cpr_master_merge = 1, have_reset_request = 1`),
      );
      assert.deepEqual(await pause(farm), [1, 0x8003]);
    }));

  test('MS-SQLPGAT2 3.1.5.39, 3.1.5.73: commands are listed for their object until they are carried out', () =>
    withFarm(async ({ rows, admin, adminDatabase }) => {
      await adminDatabase.write((db) =>
        db.insert(
          'commands',
          ['object_name', 'object_key', 'description', 'created_time'],
          [
            ['App-crawl-0/Portal_Content/indexer', 'app-crawl-0/portal_content/indexer', 'request master merge', 0],
            ['other', 'other', 'request master merge', 0],
          ],
        ),
      );
      const open = () => rows("exec proc_MSS_GetIncompleteCommands 'APP-crawl-0/Portal_Content/indexer'");
      const [command] = await open();
      assert.deepEqual(
        [command?.['Description'], command?.['Completed'], command?.['CompletedUtcTime']],
        ['request master merge', 0, null],
      );
      await admin.batch(
        `exec proc_MSS_ReportCommandComplete ${command?.['CommandID']}; exec proc_MSS_ReportCommandCompleted 999`,
      );
      assert.deepEqual(await open(), []);
      assert.equal((await rows('select CommandID from Commands where Completed = 0')).length, 1);
    }));

  test('MS-SQLPGAT2 3.1.5.91: crawls that were over long ago are forgotten, those under way are not', () =>
    withFarm(async (farm) => {
      const { stage, clock, admin, rows } = farm;
      for (const CrawlID of [2, 3]) {
        await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: CrawlID });
        await stage(108, { CrawlID, MiscInputData: 0 });
      }
      await stage(114, { CrawlID: 2 });
      clock.advance(3 * day);
      await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 4 });
      await stage(105, { CrawlID: 4 });
      await admin.batch('exec proc_MSS_CleanupWithInterval 3');
      assert.equal((await rows('select CrawlID from CrawlStatus')).length, 3, 'exactly so long is not longer');
      await admin.batch('exec proc_MSS_CleanupWithInterval 2');
      assert.deepEqual(await rows('select CrawlID from CrawlStatus order by 1'), [{ CrawlID: 3 }, { CrawlID: 4 }]);
      assert.deepEqual(await rows('select CrawlID from CrawlComponentStatus'), [{ CrawlID: 3 }]);
      assert.deepEqual(await rows('select CrawlID from CrawlStoreStatus'), [{ CrawlID: 3 }]);
    }));
});
