import type pg from 'pg';

/** What the engine numbers, and how far it has come: the numbers of deleted rows do not come back. */
export interface StoredSequence {
  readonly name: string;
  readonly last: string;
}

/** The name of the file that holds them; a table cannot be called so. */
export const sequencesFile = 'sequences.json';

/** A table of a database, with the columns that are stored and not worked out. */
export interface StoredTable {
  /** Its number in PostgreSQL. */
  readonly oid: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** The table of a schema that says which migrations it has had; a restore writes it anew, or takes it with the schema. */
export const migrationsTable = 'granary_migrations';

/** The table by which a server asks for its own commits: of no use to another. */
export const commitsTable = 'granary_commits';

/** The tables of a schema in the order in which they were made, so that what is referred to comes first. */
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
