import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { given, tell } from './tell.ts';
import { messageNumbers, pipe } from './text-client.ts';
import { tsql } from './tsql.ts';
import { grain, long } from './values.ts';

const folder = mkdtempSync(join(tmpdir(), 'granary-bcp-'));
const file = join(folder, 'rows.txt');

async function freebcp(args: readonly string[], password = given('GRANARY_PASSWORD')) {
  const server = `${given('GRANARY_HOST')}:${given('GRANARY_PORT')}`;
  const { out, errors } = await pipe('freebcp', [...args, '-S', server, '-U', 'sa', '-P', password], '');
  return { output: out + errors, errors: messageNumbers(errors) };
}

/** What a query or a table holds, as freebcp writes it into a file. */
async function read(what: string, direction: 'out' | 'queryout', ...more: readonly string[]): Promise<string> {
  writeFileSync(file, '');
  const { output } = await freebcp([what, direction, file, '-c', ...more]);
  if (!/rows copied/.test(output)) throw new Error(output);
  return readFileSync(file, 'utf8');
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

await tell('client', async () => ({ version: tsql.version }));
await tell('login', async () => {
  const about =
    'select suser_sname(), encrypt_option, protocol_version from sys.dm_exec_connections where session_id = @@spid';
  const [user, encrypted, protocol] = (await read(about, 'queryout')).trim().split('\t');
  return { user, encrypted, protocol };
});
await tell('refused', async () => ({
  number: (await freebcp(['select 1', 'queryout', file, '-c'], 'wrong')).errors[0],
}));
await tell('databases', async () => ({ names: lines(await read('select name from sys.databases', 'queryout')) }));
await tell('procedures', async () => ({
  names: lines(await read('select name from TranslationServices.sys.procedures', 'queryout')),
}));
await tell('metadata', async () => {
  const query = "exec TranslationServices..sp_sproc_columns 'proc_AddJob'";
  const rows = lines(await read(query, 'queryout')).map((line) => line.split('\t'));
  const named = rows.filter(([, , , name]) => name !== '@RETURN_VALUE');
  return { parameters: Object.fromEntries(named.map((cells) => [cells[3], cells[6]])) };
});
await tell('long', async () => {
  await tsql.run('tempdb', ['create table long_rows (name varchar(max))']);
  writeFileSync(file, `${long}\n`);
  const { output } = await freebcp(['tempdb..long_rows', 'in', file, '-c']);
  const sent = /1 rows copied/.test(output) ? 0 : output;
  const bytes = Buffer.from((await read('tempdb..long_rows', 'out', '-T', '20000000')).trimEnd());
  return { sent, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
});
await tell('bulk', async () => {
  await tsql.run('tempdb', ['create table grain (id int not null, name nvarchar(50))']);
  writeFileSync(file, `1\tone\n2\t\n3\tthree\n4\t${grain}\n`);
  await freebcp(['tempdb..grain', 'in', file, '-c']);
  const rows = lines(await read('select id, name from tempdb..grain order by id', 'queryout')).map((line) =>
    line.split('\t'),
  );
  // The first field is for the column that the engine numbers: what it says does not count.
  const links = 'Search_CrawlStore..MSSColleagueLinks';
  writeFileSync(file, '0\t7\t1\t\t10\t394\n0\t7\t2\t20\t30\t-1\n');
  await freebcp([links, 'in', file, '-c']);
  const columns = 'CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid';
  const loaded = lines(await read(`select ${columns} from ${links} order by LinkID`, 'queryout'));
  await tsql.run('Search_CrawlStore', ['delete MSSColleagueLinks']);
  return {
    rows: rows.slice(0, 3).map(([id, name]) => [Number(id), name === '' ? null : name]),
    text: rows[3]?.[1],
    links: loaded.map((line) => line.split('\t').map((cell) => (cell === '' ? null : Number(cell)))),
  };
});
rmSync(folder, { recursive: true });
