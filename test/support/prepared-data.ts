import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/**
 * The folder in which a run of all tests keeps what first starts made: hundreds of servers start with the same empty
 * databases, and making their tables takes most of the time of a start. Without it every start makes its own.
 */
const shared = process.env['GRANARY_TEST_PREPARED'];

/** What the names of the templates of a run in PostgreSQL begin with. */
const templatePrefix = (run: string): string => `template_${keyOf([run])}_`;

/** What data begins with; equal descriptions mean equal data. */
type Contents = readonly unknown[];

/** Fills an empty folder with what was once made in another one; false when the run keeps nothing. */
export async function copyFolder(
  folder: string,
  contents: Contents,
  make: (folder: string) => Promise<void>,
): Promise<boolean> {
  if (shared === undefined) return false;
  const prepared = join(shared, `sqlite-${keyOf(contents)}`);
  if (!(await isThere(prepared))) {
    const fresh = await mkdtemp(join(shared, 'fresh-'));
    await make(fresh);
    // Another test may have been quicker, and its data is as good.
    await rename(fresh, prepared).catch(() => rm(fresh, { recursive: true, force: true }));
  }
  await cp(prepared, folder, { recursive: true });
  return true;
}

/** Makes a database of PostgreSQL as a copy of one that was once made; false when the run keeps nothing. */
export async function copyPostgresDatabase(
  server: string,
  name: string,
  contents: Contents,
  make: (url: string) => Promise<void>,
): Promise<boolean> {
  if (shared === undefined) return false;
  const template = `${templatePrefix(shared)}${keyOf(contents)}`;
  if (!(await postgres(server, (client) => copyTemplate(client, name, template)))) {
    const fresh = `t${randomBytes(6).toString('hex')}`;
    await postgres(server, (client) => client.query(`create database ${fresh}`));
    await make(urlOf(server, fresh));
    await postgres(server, (client) => adoptTemplate(client, fresh, template));
    await postgres(server, (client) => copyTemplate(client, name, template));
  }
  return true;
}

/** Removes the templates of a run from a PostgreSQL that outlives it. */
export async function dropTemplates(server: string, run: string): Promise<void> {
  await postgres(server, async (client) => {
    const text = 'select datname from pg_database where starts_with(datname, $1)';
    const { rows } = await client.query(text, [templatePrefix(run)]);
    for (const { datname } of rows)
      await client.query(`drop database ${client.escapeIdentifier(datname)} with (force)`);
  });
}

/** The address of a database of a server. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Work on a connection of its own to a PostgreSQL. */
export async function postgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const [missing, taken] = ['3D000', '42P04'];

async function copyTemplate(client: pg.Client, name: string, template: string): Promise<boolean> {
  try {
    await client.query(`create database ${name} template ${template} strategy file_copy`);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === missing) return false;
    throw error;
  }
}

/** Turns a database into the template, unless another test was quicker. */
async function adoptTemplate(client: pg.Client, database: string, template: string): Promise<void> {
  try {
    await client.query(`alter database ${database} rename to ${template}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== taken) throw error;
    await client.query(`drop database ${database} with (force)`);
  }
}

function keyOf(contents: Contents): string {
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 20);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
