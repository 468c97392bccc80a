import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import type { Scope } from './ranks/tree.ts';

/** Where a caller searches: a scope, and a condition if the scope holds more than was asked for. */
export interface Container {
  readonly scope: Scope;
  readonly only?: Sql;
}

const pair = { DatabaseId: uniqueidentifier, ApplicationId: uniqueidentifier };

/** What a content database (NULL: any) and a Web application (NULL: any) have in common; undefined: nothing. */
export async function containerOf(
  db: Db,
  { DatabaseId, ApplicationId }: { readonly DatabaseId: string | null; readonly ApplicationId: string | null },
): Promise<Container | undefined> {
  if (DatabaseId === null) {
    return { scope: ApplicationId === null ? { within: 'farm' } : { within: 'application', id: ApplicationId } };
  }
  const inDatabase: Scope = { within: 'database', id: DatabaseId };
  if (ApplicationId === null) return { scope: inDatabase };
  // A content database belongs to one Web application, so either all of it is meant or nothing; but nobody checks that.
  const pairs = await db.all(
    pair,
    sql`
      select database_id as "DatabaseId", application_id as "ApplicationId" from site_containers
      where database_id = ${DatabaseId}`,
  );
  if (!pairs.some((row) => row.ApplicationId === ApplicationId)) return undefined;
  return pairs.length === 1
    ? { scope: inDatabase }
    : { scope: inDatabase, only: sql`application_id = ${ApplicationId}` };
}
