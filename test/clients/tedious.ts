import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { Connection, Request, TYPES } from 'tedious';
import { type RpcParameter, TestClient } from '../support/client.ts';
import { config, hasDates, tdsVersion } from './tedious-config.ts';
import { numberOf, tell } from './tell.ts';
import { farm, grain, long, partition, properties, translationGroup, wordBatch, wordGroup } from './values.ts';

const param = (name: string, type: RpcParameter['type'], value: unknown, output = false): RpcParameter => ({
  name,
  type,
  value,
  output,
});
const { BigInt: Big, Bit, Int, NText, NVarChar, SmallInt, TinyInt, UniqueIdentifier, VarBinary } = TYPES;

const addJob = (client: TestClient, id: number, items: number, name: string | null = grain) =>
  client.rpc('proc_AddJob', [
    param('JobId', Big, id),
    param('UserId', NVarChar, 'user@contoso.com'),
    param('UserToken', VarBinary, Buffer.from('1234567890', 'hex')),
    param('PartitionId', UniqueIdentifier, partition),
    param('Settings', NVarChar, '<settings/>'),
    param('Name', NVarChar, name),
    param('ItemCount', Int, items),
    param('MaxItemsPerDay', Int, 1000),
    param('MaxItemsPerPartitionPerDay', Int, 100),
  ]);
const jobs = (client: TestClient, submitted: boolean) =>
  client.rpc('proc_GetJobs', [
    param('PartitionId', UniqueIdentifier, partition),
    param('UserId', NVarChar, null),
    param('ActiveOnly', Bit, false),
    param('SubmittedOnly', Bit, submitted),
  ]);
const single = async (client: TestClient, text: string) => (await client.batch(text)).sets[0]?.[0]?.['x'];

async function translation(client: TestClient): Promise<object> {
  const added = (await addJob(client, 1, 2)).status;
  const grouped = await client.rpc('proc_AddGroup', [
    param('JobId', Big, 1),
    param('GroupId', SmallInt, 1),
    param('InputRoot', NVarChar, 'http://contoso.com'),
    param('OutputRoot', NVarChar, 'http://contoso.com'),
    param('MaxAttemptsCount', SmallInt, 2),
    param('JobXml', NVarChar, translationGroup),
  ]);
  const submitted = await client.rpc('proc_SubmitJob', [param('JobId', Big, 1)]);
  const job = (await jobs(client, true)).sets[0]?.[0];
  const batch = await client.rpc('proc_GetConversionBatch', [
    param('NumberOfConversionsInBatch', Int, 10),
    param('InProgressThreshold', TYPES.DateTime, new Date('2008-01-31T01:01:01Z')),
  ]);
  const day = [
    param('PartitionId', UniqueIdentifier, partition),
    param('Hour', Int, 9),
    hasDates ? param('Date', TYPES.Date, new Date('2026-03-03')) : param('Date', NVarChar, '2026-03-03'),
  ];
  await client.rpc('proc_UpdateItemCount', [...day, param('ItemCount', Int, 7)]);
  return {
    added,
    grouped: grouped.status,
    submitted: submitted.status,
    limited: (await addJob(client, 9, 101)).status,
    job: {
      id: Number(job?.['JobId']),
      created: job?.['CreateTime'] instanceof Date ? job['CreateTime'].toISOString().slice(0, 23) : job?.['CreateTime'],
      cancelled: job?.['CancelTime'],
      submitted: job?.['Submitted'],
      name: job?.['Name'],
    },
    items: batch.sets[0]?.map((row) => [row['ItemId'], row['InputFile']]),
    counted: (await client.rpc('proc_GetItemCount', day)).status,
  };
}

async function word(client: TestClient): Promise<object> {
  const added = await client.rpc('proc_AddJob', [
    param('JobId', Big, 1),
    param('UserTokenHeader', VarBinary, Buffer.alloc(32, 0xab)),
    param('UserTokenSid', VarBinary, Buffer.from('010500', 'hex')),
    param('UserTokenGroups', VarBinary, Buffer.from([0xff])),
    param('PartitionId', UniqueIdentifier, partition),
    param('Settings', NVarChar, '<settings/>'),
  ]);
  await client.rpc('proc_AddGroup', [
    param('JobId', Big, 1),
    param('GroupId', SmallInt, 1),
    param('InputRoot', NVarChar, 'http://contoso.com'),
    param('OutputRoot', NVarChar, 'http://contoso.com'),
    param('MaxAttemptsCount', SmallInt, 2),
    param('JobXml', NVarChar, wordGroup),
  ]);
  await client.rpc('proc_SubmitJob', [param('JobId', Big, 1)]);
  const active = (await client.rpc('proc_HasActiveJobs')).status;
  const token = (await client.rpc('proc_UpdateConversionBatch', [param('BatchXml', NVarChar, wordBatch)])).sets[0]?.[0];
  const hex = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('hex') : value);
  return {
    added: added.status,
    active,
    token: {
      header: hex(token?.['UserTokenHeader']),
      sid: hex(token?.['UserTokenSid']),
      groups: hex(token?.['UserTokenGroups']),
    },
  };
}

const putObject = (client: TestClient, id: string, version: unknown) =>
  client.rpc('proc_putObject', [
    param('Id', UniqueIdentifier, id),
    param('ParentId', UniqueIdentifier, null),
    param('ClassId', UniqueIdentifier, farm.class),
    param('Name', NVarChar, 'Farm'),
    param('Status', Int, 0),
    param('Version', VarBinary, version),
    param('Properties', NText, properties),
    param('AutoResolveMissingTypes', Bit, false),
    param('ExistingObject', UniqueIdentifier, null, true),
    param('NewVersion', VarBinary, null, true),
    param('RequestGuid', UniqueIdentifier, null, true),
  ]);

async function configuration(client: TestClient): Promise<object> {
  const classStatus = await client.rpc('proc_putClass', [
    param('Id', UniqueIdentifier, farm.class),
    param('BaseClassId', UniqueIdentifier, null),
    param('FullName', NVarChar, 'Example.Farm'),
  ]);
  const object = await putObject(client, farm.object, null);
  const version = object.output['NewVersion'];
  const updated = await putObject(client, farm.object, version);
  const taken = await putObject(client, farm.other, null);
  const site = await client.rpc('proc_putSiteMap', [
    param('ApplicationId', UniqueIdentifier, farm.application),
    param('DatabaseId', UniqueIdentifier, farm.database),
    param('SiteId', UniqueIdentifier, farm.site),
    param('SubscriptionId', UniqueIdentifier, null),
    param('Path', NVarChar, '/sites/grain'),
    param('Pairing', TinyInt, 0),
    param('RedirectUrl', NVarChar, null),
    param('HostHeaderIsSiteName', Bit, false),
    param('CurrentDatabaseSiteCount', Int, null, true),
  ]);
  const read = (await client.rpc('proc_getObject', [param('Id', UniqueIdentifier, farm.object)])).sets[0]?.[0];
  return {
    class: classStatus.status,
    object: object.status,
    version: Buffer.isBuffer(version) ? version.toString('hex') : version,
    updated: updated.status,
    taken: taken.status,
    sites: site.output['CurrentDatabaseSiteCount'],
    name: read?.['Name'],
    properties: read?.['Properties'],
  };
}

async function nulls(client: TestClient): Promise<object> {
  const { status } = await addJob(client, 2, 0, null);
  const all = (await jobs(client, false)).sets[0] ?? [];
  const items = await client.rpc('proc_GetItems', [
    param('JobId', Big, 1),
    param('GroupId', SmallInt, 1),
    param('PartitionId', UniqueIdentifier, partition),
    ...['NotSubmitted', 'NotStarted', 'InProgress', 'Succeeded', 'Failed', 'Canceled'].map((name) =>
      param(name, Bit, true),
    ),
  ]);
  const item = items.sets[0]?.[0];
  return {
    sent: status,
    name: all.find((row) => Number(row['JobId']) === 2)?.['Name'],
    columns: [item?.['ItemId'], item?.['StartTime'], item?.['StopTime'], item?.['ErrorCode']],
  };
}

async function longValue(client: TestClient): Promise<object> {
  const sent = await client.rpc('proc_putFileSegment', [
    param('ObjectId', UniqueIdentifier, farm.object),
    // Before TDS 7.2 a long value has another type.
    param('Bytes', tdsVersion === '7_1' ? TYPES.Image : VarBinary, long),
    param('Offset', Int, 0),
  ]);
  const read = await client.rpc('proc_getFile', [param('ObjectId', UniqueIdentifier, farm.object)]);
  const bytes = read.sets[0]?.[0]?.['FileImage'];
  if (!Buffer.isBuffer(bytes)) return { sent: sent.status };
  return { sent: sent.status, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function errors(client: TestClient): Promise<object> {
  return {
    unknownProcedure: await numberOf(client.rpc('proc_Nothing')),
    missingParameter: await numberOf(client.rpc('proc_SubmitJob')),
    conversion: await numberOf(client.rpc('proc_SubmitJob', [param('JobId', NVarChar, 'grain')])),
    duplicate: await numberOf(addJob(client, 1, 0)),
    unknownTable: await numberOf(client.batch('select * from nothing')),
    syntax: await numberOf(client.batch('select 1 +')),
    raised: await numberOf(client.batch("raiserror('grain', 16, 1)")),
    after: await single(client, 'select 1 as x'),
  };
}

async function cancel(client: TestClient): Promise<object> {
  const cancelled = await new Promise<boolean>((resolve) => {
    const request = new Request("waitfor delay '00:02:00'", (error) =>
      resolve(error !== null && error !== undefined && 'code' in error && error.code === 'ECANCEL'),
    );
    client.connection.execSqlBatch(request);
    // The request is on its way once the connection leaves its turn to others.
    setTimeout(() => client.connection.cancel(), 300);
  });
  return { cancelled, after: await single(client, 'select 1 as x') };
}

async function transaction(client: TestClient): Promise<object> {
  const { connection } = client;
  const step = (run: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())));
  const count = async () =>
    ((await jobs(client, false)).sets[0] ?? []).filter((row) => Number(row['JobId']) === 3).length;
  await step((done) => connection.beginTransaction(done));
  await addJob(client, 3, 0);
  const inside = await count();
  await step((done) => connection.rollbackTransaction(done));
  return { inside, after: await count() };
}

async function prepared({ connection }: TestClient): Promise<object> {
  const answers: unknown[] = [];
  let ended: (error?: Error | null) => void = () => {};
  const request = new Request("select cast(@n as varchar(9)) + ' ' + @t as x", (error) => ended(error));
  request.addParameter('n', Int, null);
  request.addParameter('t', NVarChar, null, { length: 10 });
  request.on('row', (cells) => answers.push((cells as { value: unknown }[])[0]?.value));
  const step = (run: () => void, prepared?: 'prepared') =>
    new Promise<void>((resolve, reject) => {
      ended = (error) => (error ? reject(error) : resolve());
      if (prepared) request.once('prepared', () => resolve());
      run();
    });
  await step(() => connection.prepare(request), 'prepared');
  for (const [n, t] of [
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ] as const)
    await step(() => connection.execute(request, { n, t }));
  await step(() => connection.unprepare(request));
  return { answers };
}

/** tedious has no pool of its own; `reset` is what pools call between two users of a connection. */
async function pool(client: TestClient): Promise<object> {
  const answers: unknown[] = [];
  for (const number of [1, 2, 3]) {
    await client.batch('create table #left_over (n int)');
    answers.push(await single(client, `select ${number} as x`));
    await new Promise<void>((resolve, reject) =>
      client.connection.reset((error) => (error ? reject(error) : resolve())),
    );
  }
  return { answers };
}

async function bulkLinks(client: TestClient): Promise<unknown[][]> {
  const table = 'Search_CrawlStore.dbo.MSSColleagueLinks';
  await new Promise<void>((resolve, reject) => {
    const load = client.connection.newBulkLoad(table, (error) => (error ? reject(error) : resolve()));
    load.addColumn('CrawlID', Int, { nullable: false });
    load.addColumn('SourceDocID', Int, { nullable: false });
    load.addColumn('SourceUserID', Big, { nullable: true });
    load.addColumn('TargetUserID', Big, { nullable: true });
    load.addColumn('Pid', Int, { nullable: false });
    client.connection.execBulkLoad(load, [
      { CrawlID: 7, SourceDocID: 1, SourceUserID: null, TargetUserID: 10, Pid: 394 },
      { CrawlID: 7, SourceDocID: 2, SourceUserID: 20, TargetUserID: 30, Pid: -1 },
    ]);
  });
  const { sets } = await client.batch(
    `select CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid from ${table} order by LinkID delete ${table}`,
  );
  return (sets[0] ?? []).map((row) => Object.values(row).map((value) => (value === null ? null : Number(value))));
}

async function bulk(client: TestClient): Promise<object> {
  await client.batch('create table #grain (id int not null, name nvarchar(50))');
  await new Promise<void>((resolve, reject) => {
    const load = client.connection.newBulkLoad('#grain', (error) => (error ? reject(error) : resolve()));
    load.addColumn('id', Int, { nullable: false });
    load.addColumn('name', NVarChar, { length: 50, nullable: true });
    client.connection.execBulkLoad(load, [
      { id: 1, name: 'one' },
      { id: 2, name: null },
      { id: 3, name: 'three' },
      { id: 4, name: grain },
    ]);
  });
  const { sets } = await client.batch('select id, name from #grain order by id');
  return {
    rows: sets[0]?.slice(0, 3).map((row) => [row['id'], row['name']]),
    text: sets[0]?.[3]?.['name'],
    links: await bulkLinks(client),
  };
}

async function metadata(client: TestClient): Promise<object> {
  const { sets } = await client.rpc('sp_sproc_columns', [param('procedure_name', NVarChar, 'proc_AddJob')]);
  const named = sets[0]?.filter((row) => row['COLUMN_NAME'] !== '@RETURN_VALUE') ?? [];
  return { parameters: Object.fromEntries(named.map((row) => [row['COLUMN_NAME'], row['TYPE_NAME']])) };
}

/** No procedure takes a table; a client that sends one hears so and may go on. T-SQL takes those of types in tempdb. */
async function tables(client: TestClient): Promise<object> {
  const table = { name: 'JobList', schema: 'dbo', columns: [{ name: 'id', type: Int }], rows: [[1]] };
  const number = await numberOf(client.rpc('proc_SubmitJob', [param('JobId', TYPES.TVP, table)]));
  return { number, after: await single(client, 'select 1 as x'), passed: await passed() };
}

async function passed(): Promise<unknown[]> {
  await using client = await TestClient.open(config('tempdb'));
  await client.batch('create type dbo.Words as table (id int not null primary key, word nvarchar(40))');
  const columns = [
    { name: 'id', type: Int },
    { name: 'word', type: NVarChar, length: 40 },
  ];
  const rows = [
    [1, 'one'],
    [2, 'zwei'],
  ];
  const { sets } = await client.rpc('sp_executesql', [
    param('stmt', NVarChar, 'select count(*) as n, max(word) as word from @words'),
    param('params', NVarChar, '@words dbo.Words readonly'),
    param('words', TYPES.TVP, { name: 'Words', schema: 'dbo', columns, rows }),
  ]);
  await client.batch('drop type dbo.Words');
  return Object.values(sets[0]?.[0] ?? {});
}

async function refused(): Promise<object> {
  const number = await new Promise((resolve) => {
    const connection = new Connection(config('master', 'wrong'));
    connection.on('errorMessage', (message: { number: number }) => resolve(message.number));
    connection.on('error', () => {});
    connection.connect(() => connection.close());
  });
  return { number };
}

const version: unknown = createRequire(import.meta.url)('tedious/package.json').version;
await tell('client', async () => ({ version }));
await using translations = await TestClient.open(config('TranslationServices'));
await using words = await TestClient.open(config('WordAutomationServices'));
await using farms = await TestClient.open(config('SharePoint_Config'));
await tell('login', async () => {
  const { sets } = await translations.batch(
    'select suser_sname() as [user], encrypt_option as encrypted, protocol_version as protocol ' +
      'from sys.dm_exec_connections where session_id = @@spid',
  );
  return { ...sets[0]?.[0] };
});
await tell('refused', refused);
await tell('databases', async () => {
  const { sets } = await translations.batch('select name from sys.databases');
  return { names: sets[0]?.map((row) => row['name']) };
});
await tell('procedures', async () => {
  const { sets } = await translations.rpc('sp_stored_procedures');
  return { names: sets[0]?.map((row) => String(row['PROCEDURE_NAME']).replace(/;1$/, '')) };
});
await tell('translation', () => translation(translations));
await tell('word', () => word(words));
await tell('config', () => configuration(farms));
await tell('sets', async () => {
  const { sets } = await farms.rpc('proc_getNewObjects', [param('NewestCachedVersion', VarBinary, Buffer.alloc(8))]);
  return { rows: sets.map((rows) => rows.length) };
});
await tell('nulls', () => nulls(translations));
await tell('long', () => longValue(farms));
await tell('errors', () => errors(translations));
await tell('cancel', () => cancel(translations));
await tell('transaction', () => transaction(translations));
await tell('prepared', () => prepared(translations));
await tell('pool', () => pool(translations));
await tell('bulk', () => bulk(translations));
await tell('metadata', () => metadata(translations));
await tell('tables', () => tables(translations));
