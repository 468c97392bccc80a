import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { number } from '../values.ts';

/** The most colleague links that a call imports. */
const most = 5000;

/** The Pid of a record that ends the list of a user's colleagues. */
const endOfList = -1;

/** Imports colleague links; returns true if there may be more. */
export async function takeColleagues(db: Db, crawl: number): Promise<boolean> {
  const taken = await db.first(
    { last: { orNull: number }, count: number },
    sql`
      select max(link_id) as "last", count(*) as "count" from (
        select link_id from colleague_links where crawl_id = ${crawl} order by link_id limit ${most}) first`,
  );
  if (taken?.last == null) return false;
  const these = sql`c.crawl_id = ${crawl} and c.link_id <= ${taken.last}`;
  const social = sql`social_distance s on s.source_doc_id = c.source_doc_id and s.target_user_id = c.target_user_id`;
  // New, changed and unchanged ones are distinguished by what was known before, so new ones are added last.
  await db.run(sql`
    insert into social_unchanged (crawl_id, source_doc_id, target_user_id)
    select distinct ${crawl}, c.source_doc_id, c.target_user_id from colleague_links c join ${social}
    where ${these} and c.pid = s.pid
    on conflict (crawl_id, source_doc_id, target_user_id) do nothing`);
  await db.run(sql`
    insert into social_new (crawl_id, source_doc_id, target_user_id)
    select distinct ${crawl}, c.source_doc_id, c.target_user_id from colleague_links c left join ${social}
    where ${these} and c.pid <> ${endOfList} and c.target_user_id is not null and (s.pid is null or s.pid <> c.pid)
    on conflict (crawl_id, source_doc_id, target_user_id) do nothing`);
  await db.run(sql`
    insert into social_distance (source_doc_id, target_user_id, source_user_id, pid)
    select c.source_doc_id, c.target_user_id, c.source_user_id, c.pid from colleague_links c
    where c.link_id in (
      select max(c.link_id) from colleague_links c
      where ${these} and c.pid <> ${endOfList} and c.target_user_id is not null
      group by c.source_doc_id, c.target_user_id)
    on conflict (source_doc_id, target_user_id) do update set pid = excluded.pid`);
  // One that an earlier list of the same crawl had left out is a colleague after all.
  await db.run(sql`
    delete from social_deleted where crawl_id = ${crawl} and (source_doc_id, target_user_id) in (
      select c.source_doc_id, c.target_user_id from colleague_links c where ${these} and c.pid <> ${endOfList})`);
  await endLists(db, crawl, taken.last);
  await db.run(sql`delete from colleague_links where crawl_id = ${crawl} and link_id <= ${taken.last}`);
  return taken.count === most;
}

/** At the end of a list of colleagues, those not in it are marked for removal, and the user's own document is known. */
async function endLists(db: Db, crawl: number, last: number): Promise<void> {
  const ends = sql`c.crawl_id = ${crawl} and c.link_id <= ${last} and c.pid = ${endOfList}`;
  await db.run(sql`
    insert into social_deleted (crawl_id, source_doc_id, target_user_id)
    select ${crawl}, s.source_doc_id, s.target_user_id from social_distance s
    where s.source_doc_id in (select c.source_doc_id from colleague_links c where ${ends})
      and not exists (select 1 from social_unchanged u where u.crawl_id = ${crawl}
        and u.source_doc_id = s.source_doc_id and u.target_user_id = s.target_user_id)
      and not exists (select 1 from social_new n where n.crawl_id = ${crawl}
        and n.source_doc_id = s.source_doc_id and n.target_user_id = s.target_user_id)
    on conflict (crawl_id, source_doc_id, target_user_id) do nothing`);
  await db.run(sql`
    insert into user_documents (user_id, doc_id)
    select c.source_user_id, min(c.source_doc_id) from colleague_links c
    where ${ends} and c.source_user_id is not null
    group by c.source_user_id
    on conflict (user_id) do nothing`);
}
