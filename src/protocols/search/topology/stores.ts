import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';

const crawl = { ordinal: int, id: nvarchar(40), name: nvarchar(256), documents: int };
const property = { id: nvarchar(40), name: nvarchar(256) };

/** The crawl stores: each is a database. */
export const crawlStores = (db: Db) =>
  db.all(
    crawl,
    sql`
      select ordinal as "ordinal", id as "id", name as "name", doc_count as "documents" from crawl_stores order by ordinal`,
  );

/** The property stores. */
export const propertyStores = (db: Db) =>
  db.all(property, sql`select id as "id", name as "name" from property_stores order by name`);
