import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { checkUrl } from '../check-url.ts';

const source = { id: int, name: nvarchar(256) };

/** Adds a content source that is crawled from some URLs, and returns its identifier. */
export async function addContentSource(db: Db, name: string, urls: readonly string[]): Promise<number> {
  if (name.trim() === '' || name.length > 256)
    throw ruleBroken('The name of a content source must have 1 to 256 characters.');
  if (await sourceNamed(db, name)) throw ruleBroken(`The content source '${name}' already exists.`);
  for (const url of urls) checkUrl(url);
  // Numbers of removed ones are not reused while a crawl still refers to them.
  const next = await db.first(
    { id: int },
    sql`
      select coalesce(max(id), 0) + 1 as "id" from (
        select id from content_sources union all select content_source_id from crawls
        union all select content_source_id from requested_deletes) s`,
  );
  const id = next?.id ?? 1;
  await db.run(sql`insert into content_sources (id, name) values (${id}, ${name})`);
  for (const url of urls) {
    await db.run(sql`
      insert into start_addresses (id, content_source, url)
      select coalesce(max(a.id), 0) + 1, ${id}, ${url} from (
        select id from start_addresses union all select start_address_id from requested_deletes) a`);
  }
  return id;
}

/** Removes a content source and returns its identifier; what was crawled of it goes with the next delete crawl. */
export async function removeContentSource(db: Db, name: string): Promise<number> {
  const found = await sourceNamed(db, name);
  if (found === undefined) throw ruleBroken(`There is no content source '${name}'.`);
  await db.run(sql`delete from start_addresses where content_source = ${found.id}`);
  await db.run(sql`delete from content_sources where id = ${found.id}`);
  await db.run(sql`insert into requested_deletes (content_source_id, start_address_id) values (${found.id}, 0)`);
  return found.id;
}

/** The content source of a name, in the spelling that it has or in another that is equal to it. */
async function sourceNamed(db: Db, name: string) {
  const sources = await db.all(source, sql`select id as "id", name as "name" from content_sources order by id`);
  return sources.find((one) => one.name === name) ?? sources.find((one) => fold(one.name) === fold(name));
}
