import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { EngineFault } from '../../fault.ts';
import { quoted } from '../../sql.ts';
import type { Address } from '../connect/address.ts';
import type { Session } from '../connect/open-session.ts';
import { commitsTable, type StoredTable } from './stored-tables.ts';
import type { Tool } from './tools.ts';

/** The folder for pg_dump's output in a database's part of an archive, and the file that describes it. */
export const dumpFolder = 'dump';
export const dumpFile = 'dump.json';

/** The table of contents of a dump: everything that pg_restore needs to create the tables. */
export const dumpList = 'toc.dat';

/** pg_dump's output for a database: which of its files has the rows of which table, in COPY's text format. */
export interface StoredDump {
  /** The version of pg_dump that wrote it; pg_restore must not be older. */
  readonly major: number;
  readonly tables: readonly DumpedTable[];
}

interface DumpedTable {
  readonly file: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** Where pg_dump connects: to the very server that exported the snapshot. */
export interface DumpPlace {
  readonly address: Address;
  readonly session: Session;
}

/** Runs pg_dump for a schema, as the snapshot sees it, into a folder. */
export async function dumpSchema(
  { path }: Tool,
  place: DumpPlace,
  { schema, folder }: { readonly schema: string; readonly folder: string },
  tableDone: () => void,
  signal: AbortSignal,
): Promise<void> {
  // A transaction may export its snapshot any number of times; each name refers to the same one.
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

/**
 * The tables and the files of a dump with their rows, from its own table of contents, which has PostgreSQL's OIDs of
 * the tables.
 */
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

/**
 * The statements that pg_restore generates from a dump: the tables before their rows are loaded, or the indexes and
 * constraints afterwards.
 */
export async function sectionOf({ path }: Tool, folder: string, section: 'pre-data' | 'post-data'): Promise<string> {
  const lines: string[] = [];
  const args = [`--section=${section}`, '--no-owner', '--no-privileges', '--file=-', folder];
  const onLine = (line: string) => {
    // psql's meta-commands start like this; PostgreSQL does not know them.
    if (!line.startsWith('\\')) lines.push(line);
  };
  await run(path, args, { onLine });
  return lines.join('\n');
}

/** Environment variables for libpq: nothing is passed on the command line, where others could see it. */
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

/** How a program is run, and who receives its output. */
interface Running {
  readonly env?: NodeJS.ProcessEnv;
  /** Terminates it. */
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
  // Its exit is awaited even after termination: until then it may write.
  child.on('error', (error) => {
    last = error.message;
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | string | null>();
  child.on('close', (code, by) => resolve(code ?? by));
  const outcome = await ended;
  if (outcome !== 0) throw new EngineFault(last === '' ? `${path} ended with ${outcome}` : last);
}
