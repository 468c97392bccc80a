import type pg from 'pg';

/** The sequences of the engine and their positions: the numbers of deleted rows are not reused. */
export interface StoredSequence {
  readonly name: string;
  readonly last: string;
}

/** The name of the file that holds them; no table can have this name. */
export const sequencesFile = 'sequences.json';

/** A table of a database, with its stored (not generated) columns. */
export interface StoredTable {
  /** Its OID in PostgreSQL. */
  readonly oid: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** The table of a schema that lists its applied migrations; a restore rewrites it, or restores it with the schema. */
export const migrationsTable = 'granary_migrations';

/** The table by which a server looks up its own commits; meaningless to another server. */
export const commitsTable = 'granary_commits';

/** The tables of a schema in order of creation, so that referenced tables come first. */
export async function storedTables(client: pg.ClientBase, schema: string): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.oid::text as oid, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where n.nspname = $1 and c.relkind = 'r' and c.relname <> '${commitsTable}'
     group by c.oid, c.relname
     order by c.oid`,
    [schema],
  );
  return rows;
}
