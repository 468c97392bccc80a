import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { noteChange } from './schema-times.ts';

/** What a managed property that is added is like. */
interface NewManagedProperty {
  readonly name: string;
  readonly type: number | null;
  readonly fullTextQueriable: boolean;
  readonly retrievable: boolean;
  readonly scoped: boolean;
  readonly maxIndexedStringLength: number;
  readonly maxNonIndexedStringLength: number;
  readonly decimalPlaces: number;
}

const identified = { pid: int };

/** The identifier of the managed property with that name, or undefined. */
export async function findManagedProperty(db: Db, name: string): Promise<number | undefined> {
  const found = await db.first(
    identified,
    sql`select pid as "pid" from managed_properties where name_key = ${fold(name)}`,
  );
  return found?.pid;
}

/** Adds a managed property and returns its identifier. */
export async function addManagedProperty(db: Db, property: NewManagedProperty, now: Date): Promise<number> {
  const { name, type } = property;
  if (type === null || type < 1 || type > 6) throw ruleBroken(`${type ?? 'NULL'} is not a Managed Type (2.2.1.13).`);
  const added = await db.first(
    identified,
    sql`
      insert into managed_properties (pid, friendly_name, name_key, managed_type, full_text_queriable, retrievable,
        is_in_doc_props, scoped, max_indexed_string_length, max_non_indexed_string_length, decimal_places, last_modified)
      select coalesce(max(pid), 0) + 1, ${name}, ${fold(name)}, ${type}, ${property.fullTextQueriable},
        ${property.retrievable}, ${property.retrievable}, ${property.scoped}, ${property.maxIndexedStringLength},
        ${property.maxNonIndexedStringLength}, ${property.decimalPlaces}, ${now}
      from managed_properties
      returning pid as "pid"`,
  );
  if (added === undefined) throw new Error('an insert yielded no row');
  await noteChange(db, 'managedProperty', now);
  return added.pid;
}
