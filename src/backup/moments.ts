import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from './archive-writer.ts';
import type { Moment } from './back-up.ts';

/** The name of a SQLite database's file inside the archive. */
const databaseFile = 'database';

/**
 * The state of a data folder's databases, or of one of them, until it is disposed of; the signal ends a wait for it.
 */
export async function sqliteMoment(
  folder: string,
  only: string | undefined,
  signal: AbortSignal,
): Promise<Moment & AsyncDisposable> {
  const { holdMoment } = await import('../engine/sqlite/files/backup.ts');
  const held = await holdMoment(folder, only, signal);
  return {
    engine: 'sqlite',
    moment: held.moment,
    whole: only === undefined,
    databases: held.databases.map((each) => ({
      ...each,
      async copyTo(to, progress, signal) {
        await each.copyTo(join(to, databaseFile), progress, signal);
        return [databaseFile];
      },
    })),
    others: only === undefined ? await certificateIn(folder) : [],
    [Symbol.asyncDispose]: async () => held[Symbol.dispose](),
  };
}

/** The state of the databases in a PostgreSQL, or of one of them, until it is disposed of. */
export async function postgresMoment(
  url: string,
  folder: string,
  { only, tools }: { readonly only?: string | undefined; readonly tools?: string | undefined },
): Promise<Moment & AsyncDisposable> {
  const { seeMoment } = await import('../engine/postgres/archive/backup.ts');
  const seen = await seeMoment(url, { only, tools });
  return {
    engine: 'postgres',
    moment: seen.moment,
    whole: only === undefined,
    databases: seen.databases,
    how: () => seen.how(),
    others: only === undefined ? await certificateIn(folder) : [],
    [Symbol.asyncDispose]: () => seen[Symbol.asyncDispose](),
  };
}

/** The certificate of the server, so that clients that trust it also trust the restored server. */
async function certificateIn(folder: string): Promise<Source[]> {
  const names = await readdir(join(folder, 'tls')).catch(() => []);
  const sources = names.map((name) => ({ path: `tls/${name}`, file: join(folder, 'tls', name) }));
  // Also files that are linked there; folders with older pairs stay.
  return sources.filter(({ file }) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
