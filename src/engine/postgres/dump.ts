import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { EngineFault } from '../fault.ts';
import { quoted } from '../sql.ts';
import type { Address } from './address.ts';
import type { Session } from './open-session.ts';
import { commitsTable, type StoredTable } from './stored-tables.ts';
import type { Tool } from './tools.ts';

/** The folder of a database in an archive that holds what pg_dump wrote, and the file that says what it is. */
export const dumpFolder = 'dump';
export const dumpFile = 'dump.json';

/** The list of what is in a dump: all that pg_restore needs to say how tables are made. */
export const dumpList = 'toc.dat';

/** What pg_dump wrote of a database: which of its files has the rows of which table, as COPY writes them as text. */
export interface StoredDump {
  /** The program that wrote it, which a pg_restore must not be older than. */
  readonly major: number;
  readonly tables: readonly DumpedTable[];
}

interface DumpedTable {
  readonly file: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** Where pg_dump connects: to the very server that has exported a snapshot. */
export interface DumpPlace {
  readonly address: Address;
  readonly session: Session;
}

/** Has pg_dump write a schema into a folder, as the snapshot sees it. */
export async function dumpSchema(
  { path }: Tool,
  place: DumpPlace,
  { schema, folder }: { readonly schema: string; readonly folder: string },
  tableDone: () => void,
  signal: AbortSignal,
): Promise<void> {
  // One transaction may say it as often as it is asked: each name stands for the same moment.
  const { rows } = await place.session.client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
  const what = [
    '--format=directory',
    '--compress=0',
    `--file=${folder}`,
    `--schema=${quoted(schema)}`,
    `--exclude-table-data=${quoted(schema)}.${commitsTable}`,
    '--strict-names',
  ];
  const how = [`--snapshot=${rows[0]?.snapshot}`, '--encoding=UTF8', '--no-owner', '--no-privileges', '--no-sync'];
  const onError = (line: string) => {
    if (line.startsWith('pg_dump: dumping contents of table')) tableDone();
  };
  const args = [...what, ...how, '--no-password', '--verbose'];
  await run(path, args, { env: environmentOf(place), onError, signal });
}

/** The tables and which files of a dump have their rows, by its own list, which has the numbers of tables in PostgreSQL. */
export async function dumpedTables(
  { path }: Tool,
  folder: string,
  tables: readonly StoredTable[],
): Promise<DumpedTable[]> {
  const files = new Map<string, string>();
  const onLine = (line: string) => {
    const [, file = '', oid = ''] = /^(\d+); \d+ (\d+) TABLE DATA /.exec(line) ?? [];
    files.set(oid, `${file}.dat`);
  };
  await run(path.replace(/pg_dump$/, 'pg_restore'), ['--list', folder], { onLine });
  return tables.map(({ oid, name, columns }) => {
    const file = files.get(oid);
    if (file === undefined) throw new EngineFault(`pg_dump left out the table ${name}`);
    return { file, name, columns };
  });
}

/** What pg_restore makes of a dump: the tables before rows are in them, or indexes and constraints after that. */
export async function sectionOf({ path }: Tool, folder: string, section: 'pre-data' | 'post-data'): Promise<string> {
  const lines: string[] = [];
  const args = [`--section=${section}`, '--no-owner', '--no-privileges', '--file=-', folder];
  const onLine = (line: string) => {
    // Words for psql begin so; PostgreSQL does not know them.
    if (!line.startsWith('\\')) lines.push(line);
  };
  await run(path, args, { onLine });
  return lines.join('\n');
}

/** What libpq reads: nothing of it is on a command line, where others could see it. */
function environmentOf({ address, session: { endpoint, at } }: DumpPlace): NodeJS.ProcessEnv {
  const { tls, password, startup, connectTimeout } = address;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    PGHOST: endpoint.host,
    ...(at.host.startsWith('/') ? {} : { PGHOSTADDR: at.host }),
    PGPORT: String(at.port),
    PGUSER: address.user,
    PGDATABASE: address.database,
    PGAPPNAME: 'granary backup',
    PGCONNECT_TIMEOUT: String(Math.ceil(connectTimeout / 1000)),
    PGSSLMODE: tls.mode,
    ...(password === undefined ? {} : { PGPASSWORD: password }),
    ...(tls.sslrootcert === undefined ? {} : { PGSSLROOTCERT: tls.sslrootcert }),
    ...(tls.sslcert === undefined ? {} : { PGSSLCERT: tls.sslcert }),
    ...(tls.sslkey === undefined ? {} : { PGSSLKEY: tls.sslkey }),
    ...(startup.options === undefined ? {} : { PGOPTIONS: startup.options }),
  };
}

/** How a program is run, and who hears what it says. */
interface Running {
  readonly env?: NodeJS.ProcessEnv;
  /** Ends it. */
  readonly signal?: AbortSignal;
  onError?(line: string): void;
  onLine?(line: string): void;
}

async function run(path: string, args: readonly string[], running: Running): Promise<void> {
  const { env = process.env, signal, onError, onLine = () => {} } = running;
  const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal && { signal }) });
  let last = '';
  createInterface(child.stderr).on('line', (line) => {
    onError?.(line);
    if (!/ (detail|hint): /.test(line)) last = line;
  });
  createInterface(child.stdout).on('line', onLine);
  // It is waited for when it is ended too: until then it writes.
  child.on('error', (error) => {
    last = error.message;
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | string | null>();
  child.on('close', (code, by) => resolve(code ?? by));
  const outcome = await ended;
  if (outcome !== 0) throw new EngineFault(last === '' ? `${path} ended with ${outcome}` : last);
}
