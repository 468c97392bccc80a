import type { Db } from '../../../../../engine/db.ts';
import { type Sql, sql } from '../../../../../engine/sql.ts';

/** The Pid of a colleague that is visible to everybody. */
const publicColleague = 394;

/** Lets social distances lead to the documents of users that the crawl has found, and notes what changes by that. */
export async function resolveColleagues(db: Db, crawl: number): Promise<void> {
  const deletedDocs = sql`(select doc_id from changed_deleted where crawl_id = ${crawl})`;
  await db.run(sql`
    insert into social_deleted (crawl_id, source_doc_id, target_user_id)
    select ${crawl}, s.source_doc_id, s.target_user_id from social_distance s
    where s.source_doc_id in ${deletedDocs} and not ${isOfAnother}
    on conflict (crawl_id, source_doc_id, target_user_id) do nothing`);
  await db.run(sql`
    update social_distance set target_doc_id = -1
    where target_doc_id in ${deletedDocs} and not exists (
      select 1 from social_deleted d
      where d.source_doc_id = social_distance.source_doc_id and d.target_user_id = social_distance.target_user_id)`);
  await db.run(sql`
    delete from user_documents where doc_id in (select doc_id from changed_targets where crawl_id = ${crawl})`);
  await db.run(sql`
    update social_distance set target_doc_id = u.doc_id from user_documents u
    where u.user_id = social_distance.target_user_id and ${isListed(sql`social_new`, crawl, sql`social_distance`)}`);
  await linkFound(db, crawl);
  await notePending(db, crawl);
  await db.run(sql`
    delete from social_distance where ${isListed(sql`social_deleted`, crawl, sql`social_distance`)}`);
  await db.run(sql`delete from social_new`);
  await db.run(sql`delete from social_deleted`);
  await db.run(sql`delete from social_unchanged`);
}

/**
 * True for a social distance `s` whose document has taken over the identifier of a deleted one, and has listed it
 * since.
 */
const isOfAnother = sql`(
  exists (select 1 from crawl_history h where h.doc_id = s.source_doc_id) and (
    exists (select 1 from social_new l where l.source_doc_id = s.source_doc_id and l.target_user_id = s.target_user_id)
    or exists (
      select 1 from social_unchanged l where l.source_doc_id = s.source_doc_id and l.target_user_id = s.target_user_id)))`;

/** True for a social distance `s` that one of the three sets of a crawl has. */
const isListed = (set: Sql, crawl: number, s: Sql): Sql => sql`exists (
  select 1 from ${set} l where l.crawl_id = ${crawl} and l.source_doc_id = ${s}.source_doc_id
    and l.target_user_id = ${s}.target_user_id)`;

async function linkFound(db: Db, crawl: number): Promise<void> {
  const found = sql`
    social_distance s join user_documents u on u.user_id = s.target_user_id
    where (s.target_doc_id is null or s.target_doc_id = -1)
      and u.doc_id in (select doc_id from changed_committed where crawl_id = ${crawl})`;
  await db.run(sql`
    insert into social_new (crawl_id, source_doc_id, target_user_id)
    select ${crawl}, s.source_doc_id, s.target_user_id from ${found}
    on conflict (crawl_id, source_doc_id, target_user_id) do nothing`);
  await db.run(sql`
    update social_distance set target_doc_id = f.doc_id
    from (select s.source_doc_id, s.target_user_id, u.doc_id from ${found}) f
    where social_distance.source_doc_id = f.source_doc_id and social_distance.target_user_id = f.target_user_id`);
}

/** What a changed distance leads to has changed, and what is one public colleague further. */
async function notePending(db: Db, crawl: number): Promise<void> {
  const changed = sql`(${isListed(sql`social_new`, crawl, sql`s`)} or ${isListed(sql`social_deleted`, crawl, sql`s`)})`;
  await db.run(sql`
    insert into pending_anchor_changes (crawl_id, target_doc_id)
    select distinct ${crawl}, s.target_doc_id from social_distance s where s.target_doc_id <> -1 and ${changed}
    on conflict (crawl_id, target_doc_id) do nothing`);
  await db.run(sql`
    insert into pending_anchor_changes (crawl_id, target_doc_id)
    select distinct ${crawl}, q.target_doc_id from social_distance s
    join social_distance q on q.source_doc_id = s.target_doc_id
    where ${changed} and q.target_doc_id <> s.source_doc_id and q.pid = ${publicColleague} and q.target_doc_id <> -1
    on conflict (crawl_id, target_doc_id) do nothing`);
}
