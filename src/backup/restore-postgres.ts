import type { Migration } from '../engine/engine.ts';
import type { PostgresRestore } from '../engine/postgres/restore.ts';
import { sequencesFile } from '../engine/postgres/stored-tables.ts';
import { archivedFiles } from './archive-reader.ts';
import type { Manifest, StoredDatabase } from './manifest.ts';

/** How a stored database is laid down: under which schema, and which of the known migrations it has had. */
interface Target {
  readonly place: string;
  readonly migrations: readonly Migration[];
}

/** Lays databases of an archive down in a PostgreSQL, all or none; `targetOf` leaves out those that are not wanted. */
export async function restoreInto(
  restore: PostgresRestore,
  archive: string,
  { databases }: Manifest,
  targetOf: (database: StoredDatabase) => Target | undefined,
  now: Date,
): Promise<void> {
  let current: StoredDatabase | undefined;
  for await (const { path, content } of archivedFiles(archive)) {
    const [, place, file = ''] = /^databases\/([^/]+)\/(.+)$/s.exec(path) ?? [];
    const database = databases.find((each) => each.place === place);
    const target = database && targetOf(database);
    if (database === undefined || target === undefined) continue;
    if (database !== current) await restore.prepare(target.place, target.migrations, now);
    current = database;
    if (file === sequencesFile)
      await restore.number(JSON.parse(Buffer.concat(await Array.fromAsync(content)).toString()));
    else await restore.fill(file, content);
  }
}
