import assert from 'node:assert/strict';
import { fold } from '../../src/base/text/collation.ts';
import { Client } from '../../src/client/client.ts';
import { sql } from '../../src/engine/sql.ts';
import { putFileSegment } from '../../src/protocols/config/files/put-file-segment.ts';
import { putClass } from '../../src/protocols/config/objects/put-class.ts';
import { putDependency } from '../../src/protocols/config/objects/put-dependency.ts';
import { putObject } from '../../src/protocols/config/objects/put-object.ts';
import { putSiteMap } from '../../src/protocols/config/site-map/put-site-map.ts';
import { addTimerJobHistory } from '../../src/protocols/config/timer-jobs/add-timer-job-history.ts';
import { startTimerRunningJob } from '../../src/protocols/config/timer-jobs/start-timer-running-job.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { submitJob } from '../../src/protocols/translation/submit-job.ts';
import { updateConversionBatch } from '../../src/protocols/translation/update-conversion-batch.ts';
import { updateFailedItem } from '../../src/protocols/translation/update-failed-item.ts';
import { updateSucceededItem } from '../../src/protocols/translation/update-succeeded-item.ts';
import { batchUpdate, jobAdd } from '../conformance/jobs/documents.ts';
import type { TestServer } from '../support/server.ts';

/** Texts that want to be more than text, in many scripts. */
export const hostile = {
  markup: `<img src=x onerror="window.hacked=1"> & "quotes" 'single' <script>window.hacked=1</script>`,
  scripts: 'Zażółć гуси 日本語 العربية עברית ไทย हिन्दी 👩‍👩‍👧‍👦 𝒳𐍈 \u202Etxt.exe',
  link: 'javascript:window.hacked=1',
};

export const guid = (n: number): string => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`;

export const partition = guid(0xaa);
const worker = guid(0xbb);
const family = 'translation/2010/11';

/** A client of this process as sa. */
export const asSa = (server: TestServer, database: string): Client =>
  Client.create({ server: server.granary, database, login: 'sa' });

/** Jobs: 1 is in progress with an item of every class, 2 is not submitted, 3 waits, 4 is done. */
export async function addJobs(client: Client): Promise<void> {
  const UserToken = new Uint8Array([1]);
  const job = async (JobId: bigint, Name: string, items: readonly string[], isSubmitted = true) => {
    await client.call(addJob, {
      JobId,
      UserToken,
      PartitionId: partition,
      Settings: `<settings note="${'x'.repeat(10)}"/>`,
      Name,
      ItemCount: items.length,
      MaxItemsPerDay: 1000,
      MaxItemsPerPartitionPerDay: 100,
    });
    await client.call(addGroup, {
      JobId,
      GroupId: 1,
      InputRoot: `http://contoso.example/${hostile.markup}`,
      OutputRoot: 'http://contoso.example/out',
      MaxAttemptsCount: 3,
      JobXml: jobAdd(
        family,
        items.map((InputFile, at) => ({ ItemId: at + 1, InputFile, OutputFile: `${at}.docx` })),
      ),
    });
    if (isSubmitted) await client.call(submitJob, { JobId });
  };
  await job(1n, hostile.markup, [hostile.markup, hostile.scripts, 'three.docx', 'four.docx']);
  await job(2n, hostile.scripts, ['a.docx'], false);
  await job(3n, 'waits', ['b.docx', 'c.docx']);
  await job(4n, 'is done', ['d.docx']);
  const start = (JobId: bigint, ...ids: number[]) =>
    client.call(updateConversionBatch, {
      BatchXml: batchUpdate(
        family,
        ids.map((ItemId) => ({ JobId, GroupId: 1, ItemId, Worker: worker })),
      ),
    });
  await start(1n, 1, 2, 3);
  await client.call(updateSucceededItem, { JobId: 1n, GroupId: 1, ItemId: 1 });
  await client.call(updateFailedItem, { JobId: 1n, GroupId: 1, ItemId: 2, NoRetry: true, ErrorCode: 42 });
  await start(4n, 1);
  await client.call(updateSucceededItem, { JobId: 4n, GroupId: 1, ItemId: 1 });
}

export const ids = {
  class: guid(0xc),
  farm: guid(1),
  child: guid(2),
  server: guid(3),
  application: guid(4),
  content: guid(5),
};

/** A farm object with two below it, versions, a dependency, a file, timer jobs, a lock, sites and a product. */
export async function addConfiguration(client: Client): Promise<Buffer> {
  const put = async (
    Id: string,
    ParentId: string | null,
    Name: string,
    Properties: string,
    Version: bigint | null = null,
  ) => {
    const { outcome, output } = await client.call(putObject, {
      Id,
      ParentId,
      ClassId: ids.class,
      Name,
      Status: 0,
      Version,
      Properties,
      AutoResolveMissingTypes: false,
      ExistingObject: null,
      NewVersion: null,
    });
    assert.equal(outcome, 'stored');
    assert.ok(output.NewVersion);
    return output.NewVersion;
  };
  await client.call(putClass, { Id: ids.class, BaseClassId: null, FullName: 'Contoso.Farm' });
  await put(ids.farm, null, 'SharePoint Farm', '<object><fld name="a">1</fld></object>');
  const first = await put(ids.child, ids.farm, hostile.markup, '<object><fld name="a">1</fld><same/></object>');
  await put(ids.child, ids.farm, hostile.markup, `<object><fld name="a">2</fld><same/></object>`, first);
  await put(ids.server, ids.farm, hostile.scripts, '<object/>');
  await put(ids.application, ids.farm, 'Portal', 'not <xml');
  await put(ids.content, ids.farm, 'WSS_Content', '<object/>');
  await client.call(putDependency, { ObjectId: ids.child, DependantId: ids.server });
  const file = Buffer.alloc(600_000, 'a file ');
  const written = await client.call(putFileSegment, { ObjectId: ids.child, Bytes: file, Offset: 0 });
  assert.equal(written.outcome, 'written');
  await addTimerJobs(client);
  await client.call(putSiteMap, {
    ApplicationId: ids.application,
    DatabaseId: ids.content,
    SiteId: guid(0x51),
    SubscriptionId: null,
    Path: '/sites/Zażółć',
    Pairing: 0,
    RedirectUrl: null,
    HostHeaderIsSiteName: false,
  });
  await client.query(
    `exec proc_RegisterProductVersion @ServerId = '${ids.server}', @Product = N'Contoso Server', @Version = N'15.0.1', @Flags = 0`,
  );
  return file;
}

async function addTimerJobs(client: Client): Promise<void> {
  await client.query(`
    declare @s int, @e uniqueidentifier
    exec proc_ScheduleTimerJob @ServiceId = '${guid(9)}', @WebApplicationId = '${ids.application}',
      @ServerId = '${ids.server}', @JobId = '${ids.child}', @StartTime = '2031-05-06T07:08:09'
    exec proc_AddTimerLockForJob @JobId = '${ids.child}', @ServerId = '${ids.server}', @LockTimeout = 20,
      @LockStatus = @s output, @LockExpiredServerId = @e output`);
  const run = {
    JobId: ids.child,
    JobTitle: hostile.markup,
    WebApplicationId: ids.application,
    WebApplicationName: 'Portal',
    ServiceId: guid(9),
    ServerId: ids.server,
    ServerName: hostile.scripts,
    DatabaseName: null,
    ErrorMessage: hostile.markup,
  };
  for (const [minute, seconds] of [1, 7, 3].entries()) {
    const StartTime = new Date(Date.UTC(2026, 0, 1, 10, minute));
    const EndTime = new Date(StartTime.getTime() + seconds * 1000);
    await client.call(addTimerJobHistory, { ...run, Status: 2, StartTime, EndTime });
  }
  await client.call(startTimerRunningJob, {
    ServiceId: guid(9),
    VirtualServerId: null,
    ServerId: ids.server,
    JobId: ids.child,
    JobTitle: 'Runs now',
    TargetCount: 4,
  });
}

/** A content source, documents of it that were crawled, one that could not be, links between them, and their words. */
export async function addSearch(server: TestServer): Promise<void> {
  await using admin = asSa(server, 'Search_Admin');
  const addresses = JSON.stringify(['http://contoso.example/']);
  await admin.query('exec granary.AddContentSource @Name = @name, @StartAddresses = @addresses', {
    name: `Intranet ${hostile.markup}`,
    addresses,
  });
  const store = await server.granary.engine.open('Search_CrawlStore');
  assert.ok(store);
  await store.write(async (db) => {
    const document = (id: number, url: string, title: string, error: number) =>
      db.run(sql`
        insert into crawl_history (doc_id, content_source_id, crawl_id, commit_crawl_id, access_url, access_key,
          display_url, display_key, title, index_type, error_id, error_level, error_count, error_desc)
        values (${id}, 1, 1, 1, ${url}, ${fold(url)}, ${url}, ${fold(url)}, ${title}, 1, ${error}, ${error === 0 ? 0 : 2},
          ${error === 0 ? 0 : 3}, ${error === 0 ? null : hostile.markup})`);
    await document(1, 'http://contoso.example/', hostile.markup, 0);
    await document(2, 'http://contoso.example/missing', 'missing', 1);
    await db.run(sql`
      insert into anchor_text (source_doc_id, target_doc_id, link, anchor_text, crawl_id)
      values (1, 2, ${'http://contoso.example/missing'}, ${hostile.scripts}, 1)`);
  });
  await admin.database('Search_PropertyStore').query('exec granary.PutDocumentTexts @Documents = @documents', {
    documents: JSON.stringify([
      { DocID: 1, Url: hostile.link, Title: hostile.markup, Text: `gherkin ${hostile.markup} ${hostile.scripts}` },
    ]),
  });
}
