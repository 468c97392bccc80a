import { createHash } from 'node:crypto';
import { tell } from './tell.ts';
import type { Said, TextClient } from './text-client.ts';
import { farm, grain, long, partition, properties, translationGroup, wordBatch, wordGroup } from './values.ts';

const databases = { translation: 'TranslationServices', word: 'WordAutomationServices', config: 'SharePoint_Config' };

/** Makes the checks with a client that knows nothing but text: every call is a batch that selects what it wants to show. */
export async function textScenario(client: TextClient, leftOut: readonly string[]): Promise<void> {
  const checks = { ...basics(client), ...calls(client), ...troubles(client) };
  await tell('client', async () => ({ version: client.version }));
  for (const [check, find] of Object.entries(checks)) if (!leftOut.includes(check)) await tell(check, find);
}

/** The cells of the line that begins with a word that the query put there. */
function line(said: Said, word: string): readonly string[] {
  const found = said.lines.find(([first]) => first === word);
  if (found === undefined) throw new Error(`no line ${word} in ${said.output.slice(0, 2000)}`);
  return found.slice(1);
}

/** How many rows stand under each of these headings, in a text that has them in this order. */
function rowsUnder(output: string, headings: readonly RegExp[]): number[] {
  const lines = output.split('\n').filter((text) => text !== '' && !text.startsWith('('));
  const places = headings.map((heading) => lines.findIndex((text) => heading.test(text)));
  if (places.includes(-1)) throw new Error(`headings are missing in ${output}`);
  return places.map((place, at) => (places[at + 1] ?? lines.length) - place - 1);
}

const rest = (said: Said, word: string) => said.lines.filter(([first]) => first === word).map(([, ...cells]) => cells);
const call = (text: string, result = '@rc') => `declare @rc int exec @rc = ${text} select 'rc', ${result}`;
const code = (said: Said) => Number(line(said, 'rc')[0]);

const addJob = (job: number, items: number, name = `N'${grain}'`) =>
  call(
    `proc_AddJob @JobId = '${job}', @UserId = 'user@contoso.com', @UserToken = 0x1234567890, @PartitionId = '${partition}',
@Settings = '<settings/>', @Name = ${name}, @ItemCount = '${items}', @MaxItemsPerDay = '1000',
@MaxItemsPerPartitionPerDay = '100'`,
  );
const addGroup = (document: string) =>
  call(`proc_AddGroup 1, 1, 'http://contoso.com', 'http://contoso.com', 2, '${document}'`);
/** To DB-Library a column that says nothing about NULL does not allow it. */
const keepJobs = (
  submitted: number,
) => `create table #jobs (JobId bigint, CreateTime datetime, CancelTime datetime null,
Submitted bit, Name nvarchar(max) null)
insert #jobs exec proc_GetJobs '${partition}', null, 0, ${submitted}`;

function basics(client: TextClient) {
  const names = async (query: string) => {
    const said = await client.run(databases.translation, [query]);
    return { names: rest(said, 'name').map(([name = '']) => name) };
  };
  return {
    login: async () => {
      const said = await client.run(databases.translation, [
        "select 'me', suser_sname(), encrypt_option, protocol_version from sys.dm_exec_connections where session_id = @@spid",
      ]);
      const [user, encrypted, protocol] = line(said, 'me');
      return { user, encrypted, protocol };
    },
    refused: async () => ({ number: (await client.run('master', ['select 1'], 'wrong')).errors[0] }),
    databases: () => names("select 'name', name from sys.databases"),
    procedures: () => names("select 'name', name from sys.procedures"),
  };
}

function calls(client: TextClient) {
  return {
    translation: async () => {
      const run = (text: string) => client.run(databases.translation, [text]);
      const added = code(await run(addJob(1, 2)));
      const grouped = code(await run(addGroup(translationGroup)));
      const submitted = code(await run(call(`proc_SubmitJob @JobId = '1'`)));
      const said = await run(`${keepJobs(1)}
select 'job', JobId, convert(varchar(23), CreateTime, 126), CancelTime, Submitted, convert(nvarchar(99), Name) from #jobs`);
      const [id, created, cancelled, isSubmitted, name] = line(said, 'job');
      const batch = await run(`create table #items (JobId bigint, GroupId smallint, ItemId int, InProgress bit,
InputFile nvarchar(max), OutputFile nvarchar(max), AttemptsRemaining tinyint, WorkerServerInstance uniqueidentifier null,
StartTime datetime null, CreateTime datetime)
insert #items exec proc_GetConversionBatch @NumberOfConversionsInBatch = 10, @InProgressThreshold = 'Jan 31 2008 01:01:01:000AM'
select 'item', ItemId, convert(nvarchar(99), InputFile) from #items order by ItemId`);
      const day = `@PartitionId = '${partition}', @Hour = 9, @Date = '2026-03-03'`;
      await run(`exec proc_UpdateItemCount ${day}, @ItemCount = 7`);
      return {
        added,
        grouped,
        submitted,
        limited: code(await run(addJob(9, 101))),
        job: {
          id: Number(id),
          created,
          cancelled: cancelled === client.null ? null : cancelled,
          submitted: isSubmitted === '1',
          name,
        },
        items: rest(batch, 'item').map(([item, file]) => [Number(item), file]),
        counted: code(await run(call(`proc_GetItemCount ${day}`))),
      };
    },
    word: async () => {
      const run = (text: string) => client.run(databases.word, [text]);
      const token = `0x${'ab'.repeat(32)}, 0x010500, 0xff`;
      const added = code(await run(call(`proc_AddJob 1, ${token}, '${partition}', '<settings/>'`)));
      await run(addGroup(wordGroup));
      await run('exec proc_SubmitJob 1');
      const active = code(await run(call('proc_HasActiveJobs')));
      const said = await run(`create table #groups (JobId bigint, GroupId smallint, InputRoot nvarchar(max),
OutputRoot nvarchar(max), Settings nvarchar(max), Header varbinary(32), Sid varbinary(max), Groups varbinary(max))
insert #groups exec proc_UpdateConversionBatch '${wordBatch}'
select 'token', convert(varchar(64), Header, 2), convert(varchar(64), Sid, 2), convert(varchar(64), Groups, 2) from #groups`);
      const [header = '', sid = '', groups = ''] = line(said, 'token');
      return {
        added,
        active,
        token: { header: header.toLowerCase(), sid: sid.toLowerCase(), groups: groups.toLowerCase() },
      };
    },
    config: () => configuration(client),
    sets: async () => {
      const said = await client.run(databases.config, ['exec proc_getNewObjects 0x0000000000000000']);
      return { rows: rowsUnder(said.output, [/^Version$/, /^Id.ParentId/, /^DependantId$/, /^Id.Version$/]) };
    },
    nulls: async () => {
      const sent = code(await client.run(databases.translation, [addJob(2, 0, 'null')]));
      const said = await client.run(databases.translation, [
        `${keepJobs(0)}
select 'job', Name, 'end' from #jobs where JobId = 2
create table #items (ItemId int, StartTime datetime null, StopTime datetime null, ErrorCode int null, InputFile nvarchar(max) null,
OutputFile nvarchar(max) null)
insert #items exec proc_GetItems 1, 1, '${partition}', 1, 1, 1, 1, 1, 1
select 'item', ItemId, StartTime, StopTime, ErrorCode from #items order by ItemId`,
      ]);
      const orNull = (cell: string | undefined) => (cell === client.null ? null : Number(cell));
      const [name] = line(said, 'job');
      return { sent, name: name === client.null ? null : name, columns: line(said, 'item').map(orNull) };
    },
    long: async () => {
      const sent = await client.run(databases.config, [
        call(`proc_putFileSegment '${farm.object}', 0x${long.toString('hex')}, 0`),
      ]);
      const said = await client.run(databases.config, [`exec proc_getFile '${farm.object}'`]);
      const longest = said.output.split('\n').reduce((one, other) => (one.length < other.length ? other : one));
      const bytes = Buffer.from(longest.trim().replace(/^0x/i, ''), 'hex');
      return { sent: code(sent), length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
  };
}

async function configuration(client: TextClient): Promise<object> {
  const run = (text: string) => client.run(databases.config, [text]);
  const put = async (id: string, version: string) => {
    const said = await run(`declare @version binary(8)
${call(`proc_putObject '${id}', null, '${farm.class}', 'Farm', 0, ${version}, N'${properties}', 0, null, @version output`, '@rc, convert(varchar(16), @version, 2)')}`);
    const [status = '', told = ''] = line(said, 'rc');
    return [Number(status), told.toLowerCase()] as const;
  };
  const registered = code(await run(call(`proc_putClass '${farm.class}', null, 'Example.Farm'`)));
  const [object, version] = await put(farm.object, 'null');
  const [updated] = await put(farm.object, `0x${version}`);
  const [taken] = await put(farm.other, 'null');
  const site = await run(`declare @count int
create table #site (Id uniqueidentifier)
insert #site exec proc_putSiteMap '${farm.application}', '${farm.database}', '${farm.site}', null, '/sites/grain', 0, null, 0, @count output
select 'rc', @count`);
  const said =
    await run(`create table #objects (Id uniqueidentifier, ParentId uniqueidentifier null, ClassId uniqueidentifier,
Name nvarchar(128), Status int, Version binary(8), Properties ntext null)
insert #objects exec proc_getObject '${farm.object}'
select 'object', Name, convert(nvarchar(99), Properties) from #objects`);
  const [name, text] = line(said, 'object');
  return { class: registered, object, version, updated, taken, sites: code(site), name, properties: text };
}

function troubles(client: TextClient) {
  const failing = async (text: string) => (await client.run(databases.translation, [text])).errors[0];
  return {
    errors: async () => {
      const after = await client.run(databases.translation, ['select * from nothing', "select 'rc', 1"]);
      return {
        unknownProcedure: await failing('exec proc_Nothing'),
        missingParameter: await failing('exec proc_SubmitJob'),
        conversion: await failing("exec proc_SubmitJob 'grain'"),
        duplicate: await failing(addJob(1, 0)),
        unknownTable: after.errors[0],
        syntax: await failing('select 1 +'),
        raised: await failing("raiserror('grain', 16, 1)"),
        ...(after.lines.length > 0 ? { after: code(after) } : {}),
      };
    },
    transaction: async () => {
      const count = (word: string) => `delete #jobs
insert #jobs exec proc_GetJobs '${partition}', null, 0, 0
select '${word}', count(*) from #jobs where JobId = 3`;
      const add = `exec proc_AddJob 3, null, 0x12, '${partition}', '<settings/>'`;
      const batch = [keepJobs(0), 'begin transaction', add, count('inside'), 'rollback transaction', count('after')];
      const said = await client.run(databases.translation, [batch.join('\n')]);
      return { inside: Number(line(said, 'inside')[0]), after: Number(line(said, 'after')[0]) };
    },
    metadata: async () => {
      const said = await client.run(databases.translation, ["exec sp_sproc_columns 'proc_AddJob'"]);
      const named = said.lines.filter(([, , , name]) => name?.startsWith('@') && name !== '@RETURN_VALUE');
      return { parameters: Object.fromEntries(named.map((cells) => [cells[3], cells[6]])) };
    },
  };
}
