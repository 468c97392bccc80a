import type pg from 'pg';

/** What the engine numbers, and how far it has come: the numbers of deleted rows do not come back. */
export interface StoredSequence {
  readonly name: string;
  readonly last: string;
}

/** The name of the file that holds them; a table cannot be called so. */
export const sequencesFile = 'sequences.json';

/** A table of a database, with the columns that are stored and not worked out. */
interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables of a schema in the order in which they were made, so that what is referred to comes first. */
export async function storedTables(client: pg.ClientBase, schema: string): Promise<StoredTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where n.nspname = $1 and c.relkind = 'r' and c.relname <> 'granary_migrations'
     group by c.oid, c.relname
     order by c.oid`,
    [schema],
  );
  return rows;
}
