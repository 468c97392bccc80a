import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import sql from 'mssql';
import { given, numberOf, tell } from './tell.ts';
import { farm, grain, long, partition, properties, translationGroup, wordBatch, wordGroup } from './values.ts';

const config = (database, password = given('GRANARY_PASSWORD')) => ({
  server: given('GRANARY_HOST'),
  port: Number(given('GRANARY_PORT')),
  user: 'sa',
  password,
  database,
  connectionTimeout: 60_000,
  requestTimeout: 120_000,
  pool: { min: 0, max: 2 },
  options: { encrypt: process.env['CLIENT_ENCRYPT'] !== 'false', trustServerCertificate: true },
});

const addJob = (request, id, items, name = grain) =>
  request
    .input('JobId', sql.BigInt, id)
    .input('UserId', sql.NVarChar, 'user@contoso.com')
    .input('UserToken', sql.VarBinary, Buffer.from('1234567890', 'hex'))
    .input('PartitionId', sql.UniqueIdentifier, partition)
    .input('Settings', sql.NVarChar, '<settings/>')
    .input('Name', sql.NVarChar, name)
    .input('ItemCount', sql.Int, items)
    .input('MaxItemsPerDay', sql.Int, 1000)
    .input('MaxItemsPerPartitionPerDay', sql.Int, 100)
    .execute('proc_AddJob');
const addGroup = (request, document) =>
  request
    .input('JobId', sql.BigInt, 1)
    .input('GroupId', sql.SmallInt, 1)
    .input('InputRoot', sql.NVarChar, 'http://contoso.com')
    .input('OutputRoot', sql.NVarChar, 'http://contoso.com')
    .input('MaxAttemptsCount', sql.SmallInt, 2)
    .input('JobXml', sql.Xml, document)
    .execute('proc_AddGroup');
const jobs = async (request, submitted) => {
  const { recordset } = await request
    .input('PartitionId', sql.UniqueIdentifier, partition)
    .input('UserId', sql.NVarChar, null)
    .input('ActiveOnly', sql.Bit, false)
    .input('SubmittedOnly', sql.Bit, submitted)
    .execute('proc_GetJobs');
  return [...recordset];
};

async function translation(pool) {
  const added = (await addJob(pool.request(), 1, 2)).returnValue;
  const grouped = (await addGroup(pool.request(), translationGroup)).returnValue;
  const submitted = (await pool.request().input('JobId', sql.BigInt, 1).execute('proc_SubmitJob')).returnValue;
  const [job] = await jobs(pool.request(), true);
  const batch = await pool
    .request()
    .input('NumberOfConversionsInBatch', sql.Int, 10)
    .input('InProgressThreshold', sql.DateTime, new Date('2008-01-31T01:01:01Z'))
    .execute('proc_GetConversionBatch');
  const day = () =>
    pool
      .request()
      .input('PartitionId', sql.UniqueIdentifier, partition)
      .input('Hour', sql.Int, 9)
      .input('Date', sql.Date, new Date('2026-03-03'));
  await day().input('ItemCount', sql.Int, 7).execute('proc_UpdateItemCount');
  return {
    added,
    grouped,
    submitted,
    limited: (await addJob(pool.request(), 9, 101)).returnValue,
    job: {
      id: Number(job.JobId),
      created: job.CreateTime.toISOString().slice(0, 23),
      cancelled: job.CancelTime,
      submitted: job.Submitted,
      name: job.Name,
    },
    items: batch.recordset.map((row) => [row.ItemId, row.InputFile]),
    counted: (await day().execute('proc_GetItemCount')).returnValue,
  };
}

async function word(pool) {
  const added = await pool
    .request()
    .input('JobId', sql.BigInt, 1)
    .input('UserTokenHeader', sql.VarBinary(32), Buffer.alloc(32, 0xab))
    .input('UserTokenSid', sql.VarBinary(sql.MAX), Buffer.from('010500', 'hex'))
    .input('UserTokenGroups', sql.VarBinary(sql.MAX), Buffer.from([0xff]))
    .input('PartitionId', sql.UniqueIdentifier, partition)
    .input('Settings', sql.NVarChar, '<settings/>')
    .execute('proc_AddJob');
  await addGroup(pool.request(), wordGroup);
  await pool.request().input('JobId', sql.BigInt, 1).execute('proc_SubmitJob');
  const active = (await pool.request().execute('proc_HasActiveJobs')).returnValue;
  const batch = await pool.request().input('BatchXml', sql.Xml, wordBatch).execute('proc_UpdateConversionBatch');
  const [token] = batch.recordset;
  return {
    added: added.returnValue,
    active,
    token: {
      header: token.UserTokenHeader.toString('hex'),
      sid: token.UserTokenSid.toString('hex'),
      groups: token.UserTokenGroups.toString('hex'),
    },
  };
}

const putObject = (pool, id, version) =>
  pool
    .request()
    .input('Id', sql.UniqueIdentifier, id)
    .input('ParentId', sql.UniqueIdentifier, null)
    .input('ClassId', sql.UniqueIdentifier, farm.class)
    .input('Name', sql.NVarChar(128), 'Farm')
    .input('Status', sql.Int, 0)
    .input('Version', sql.Binary(8), version)
    .input('Properties', sql.NText, properties)
    .input('AutoResolveMissingTypes', sql.Bit, false)
    .output('ExistingObject', sql.UniqueIdentifier)
    .output('NewVersion', sql.VarBinary(8))
    .output('RequestGuid', sql.UniqueIdentifier)
    .execute('proc_putObject');

async function configuration(pool) {
  const classStatus = await pool
    .request()
    .input('Id', sql.UniqueIdentifier, farm.class)
    .input('BaseClassId', sql.UniqueIdentifier, null)
    .input('FullName', sql.NVarChar(256), 'Example.Farm')
    .execute('proc_putClass');
  const object = await putObject(pool, farm.object, null);
  const version = object.output['NewVersion'];
  const updated = await putObject(pool, farm.object, version);
  const taken = await putObject(pool, farm.other, null);
  const site = await pool
    .request()
    .input('ApplicationId', sql.UniqueIdentifier, farm.application)
    .input('DatabaseId', sql.UniqueIdentifier, farm.database)
    .input('SiteId', sql.UniqueIdentifier, farm.site)
    .input('SubscriptionId', sql.UniqueIdentifier, null)
    .input('Path', sql.NVarChar(128), '/sites/grain')
    .input('Pairing', sql.TinyInt, 0)
    .input('RedirectUrl', sql.NVarChar(512), null)
    .input('HostHeaderIsSiteName', sql.Bit, false)
    .output('CurrentDatabaseSiteCount', sql.Int)
    .execute('proc_putSiteMap');
  const { recordset } = await pool.request().input('Id', sql.UniqueIdentifier, farm.object).execute('proc_getObject');
  return {
    class: classStatus.returnValue,
    object: object.returnValue,
    version: version.toString('hex'),
    updated: updated.returnValue,
    taken: taken.returnValue,
    sites: site.output['CurrentDatabaseSiteCount'],
    name: recordset[0].Name,
    properties: recordset[0].Properties,
  };
}

async function nulls(pool) {
  const sent = (await addJob(pool.request(), 2, 0, null)).returnValue;
  const request = pool
    .request()
    .input('JobId', sql.BigInt, 1)
    .input('GroupId', sql.SmallInt, 1)
    .input('PartitionId', sql.UniqueIdentifier, partition);
  for (const name of ['NotSubmitted', 'NotStarted', 'InProgress', 'Succeeded', 'Failed', 'Canceled'])
    request.input(name, sql.Bit, true);
  const [item] = (await request.execute('proc_GetItems')).recordset;
  return {
    sent,
    name: (await jobs(pool.request(), false)).find((row) => Number(row.JobId) === 2).Name,
    columns: [item.ItemId, item.StartTime, item.StopTime, item.ErrorCode],
  };
}

async function longValue(pool) {
  const sent = await pool
    .request()
    .input('ObjectId', sql.UniqueIdentifier, farm.object)
    .input('Bytes', sql.VarBinary(sql.MAX), long)
    .input('Offset', sql.Int, 0)
    .execute('proc_putFileSegment');
  const { recordset } = await pool
    .request()
    .input('ObjectId', sql.UniqueIdentifier, farm.object)
    .execute('proc_getFile');
  const bytes = recordset[0].FileImage;
  return { sent: sent.returnValue, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function errors(pool) {
  return {
    unknownProcedure: await numberOf(pool.request().execute('proc_Nothing')),
    missingParameter: await numberOf(pool.request().execute('proc_SubmitJob')),
    conversion: await numberOf(pool.request().input('JobId', sql.NVarChar, 'grain').execute('proc_SubmitJob')),
    duplicate: await numberOf(addJob(pool.request(), 1, 0)),
    unknownTable: await numberOf(pool.request().query('select * from nothing')),
    syntax: await numberOf(pool.request().query('select 1 +')),
    raised: await numberOf(pool.request().query("raiserror('grain', 16, 1)")),
    after: (await pool.request().query('select 1 as x')).recordset[0].x,
  };
}

async function cancel(pool) {
  const request = pool.request();
  const running = request.query("waitfor delay '00:02:00'").then(
    () => false,
    (error) => error.code === 'ECANCEL',
  );
  await after(300); // the request takes a connection from the pool first
  request.cancel();
  return { cancelled: await running, after: (await pool.request().query('select 1 as x')).recordset[0].x };
}

async function transaction(pool) {
  const begun = new sql.Transaction(pool);
  const count = async (request) => (await jobs(request, false)).filter((row) => Number(row.JobId) === 3).length;
  await begun.begin();
  await addJob(new sql.Request(begun), 3, 0);
  const inside = await count(new sql.Request(begun));
  await begun.rollback();
  return { inside, after: await count(pool.request()) };
}

async function prepared(pool) {
  const statement = new sql.PreparedStatement(pool);
  statement.input('n', sql.Int);
  statement.input('t', sql.NVarChar(10));
  await statement.prepare("select cast(@n as varchar(9)) + ' ' + @t as x");
  const answers = [];
  for (const [n, t] of [
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ])
    answers.push((await statement.execute({ n, t })).recordset[0].x);
  await statement.unprepare();
  return { answers };
}

/** More users at a time than the pool has connections. */
async function pooled(pool) {
  const results = await Promise.all([1, 2, 3].map((number) => pool.request().query(`select ${number} as x`)));
  return { answers: results.map(({ recordset }) => recordset[0].x) };
}

async function bulk(pool) {
  const begun = new sql.Transaction(pool);
  await begun.begin();
  const table = new sql.Table('#grain');
  table.create = true;
  table.columns.add('id', sql.Int, { nullable: false });
  table.columns.add('name', sql.NVarChar(50), { nullable: true });
  table.rows.add(1, 'one');
  table.rows.add(2, null);
  table.rows.add(3, 'three');
  table.rows.add(4, grain);
  await new sql.Request(begun).bulk(table);
  const { recordset } = await new sql.Request(begun).query('select id, name from #grain order by id');
  await begun.rollback();
  const links = await bulkLinks(pool);
  return { rows: recordset.slice(0, 3).map((row) => [row.id, row.name]), text: recordset[3].name, links };
}

async function bulkLinks(pool) {
  const name = 'Search_CrawlStore.dbo.MSSColleagueLinks';
  const table = new sql.Table(name);
  table.columns.add('CrawlID', sql.Int, { nullable: false });
  table.columns.add('SourceDocID', sql.Int, { nullable: false });
  table.columns.add('SourceUserID', sql.BigInt, { nullable: true });
  table.columns.add('TargetUserID', sql.BigInt, { nullable: true });
  table.columns.add('Pid', sql.Int, { nullable: false });
  table.rows.add(7, 1, null, 10, 394);
  table.rows.add(7, 2, 20, 30, -1);
  await pool.request().bulk(table);
  const columns = 'CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid';
  const { recordset } = await pool.request().query(`select ${columns} from ${name} order by LinkID delete ${name}`);
  return recordset.map((row) => Object.values(row).map((value) => (value === null ? null : Number(value))));
}

async function metadata(pool) {
  const { recordset } = await pool
    .request()
    .input('procedure_name', sql.NVarChar, 'proc_AddJob')
    .execute('sp_procedure_params_managed');
  const named = recordset.filter((row) => row.PARAMETER_NAME !== '@RETURN_VALUE');
  return { parameters: Object.fromEntries(named.map((row) => [row.PARAMETER_NAME, row.TYPE_NAME])) };
}

/** No procedure takes a table; a client that sends one hears so and may go on. */
async function tableValued(pool) {
  const table = new sql.Table('dbo.JobList');
  table.columns.add('id', sql.Int);
  table.rows.add(1);
  const number = await numberOf(pool.request().input('JobId', table).execute('proc_SubmitJob'));
  return { number, after: (await pool.request().query('select 1 as x')).recordset[0].x, passed: await passed() };
}

async function passed() {
  const pool = await open('tempdb');
  await pool.batch('create type dbo.Words as table (id int not null primary key, word nvarchar(40))');
  const table = new sql.Table('dbo.Words');
  table.columns.add('id', sql.Int, { nullable: false });
  table.columns.add('word', sql.NVarChar(40));
  table.rows.add(1, 'one');
  table.rows.add(2, 'zwei');
  const { recordset } = await pool
    .request()
    .input('words', table)
    .query('select count(*) as n, max(word) as word from @words');
  await pool.batch('drop type dbo.Words');
  await pool.close();
  return Object.values(recordset[0]);
}

const open = (database) => new sql.ConnectionPool(config(database)).connect();
const version = createRequire(import.meta.url)('mssql/package.json').version;
await tell('client', async () => ({ version }));
const translations = await open('TranslationServices');
const words = await open('WordAutomationServices');
const farms = await open('SharePoint_Config');
await tell('login', async () => {
  const { recordset } = await translations.query(
    'select suser_sname() as [user], encrypt_option as encrypted, protocol_version as protocol ' +
      'from sys.dm_exec_connections where session_id = @@spid',
  );
  return recordset[0];
});
await tell('refused', async () => {
  const failure = await new sql.ConnectionPool(config('master', 'wrong')).connect().catch((error) => error);
  return { number: failure.originalError.message.startsWith("Login failed for user 'sa'.") ? 18456 : failure.message };
});
await tell('databases', async () => {
  const { recordset } = await translations.request().execute('sp_databases');
  return { names: recordset.map((row) => row.DATABASE_NAME) };
});
await tell('procedures', async () => {
  const { recordset } = await translations.query('select name from sys.procedures');
  return { names: recordset.map((row) => row.name) };
});
await tell('translation', () => translation(translations));
await tell('word', () => word(words));
await tell('config', () => configuration(farms));
await tell('sets', async () => {
  const { recordsets } = await farms
    .request()
    .input('NewestCachedVersion', sql.Binary(8), Buffer.alloc(8))
    .execute('proc_getNewObjects');
  return { rows: recordsets.map((rows) => rows.length) };
});
await tell('nulls', () => nulls(translations));
await tell('long', () => longValue(farms));
await tell('errors', () => errors(translations));
await tell('cancel', () => cancel(translations));
await tell('transaction', () => transaction(translations));
await tell('prepared', () => prepared(translations));
await tell('pool', () => pooled(translations));
await tell('bulk', () => bulk(translations));
await tell('metadata', () => metadata(translations));
await tell('tables', () => tableValued(translations));
for (const pool of [translations, words, farms]) await pool.close();
