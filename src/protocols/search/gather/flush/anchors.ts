import type { Row } from '../../../../base/stored.ts';
import type { Db } from '../../../../engine/db.ts';
import { list, type Sql, sql, table } from '../../../../engine/sql.ts';
import { lastOfEach } from '../../records/index.ts';
import { hresult, itemType, number } from '../values.ts';
import type { Link } from './link.ts';
import type { Plan } from './plan.ts';

/** Links that say nothing of anchors: entries of change logs, markers, start addresses, business data, excluded ones. */
const saysNothing = sql`(
  coalesce(l.parent_process_change_log, 0) = 1 or l.item_type in (${itemType.lastLink}, ${itemType.startAddress})
  or substr(coalesce(l.display_key, ''), 1, 3) = 'bdc' or coalesce(l.hr_result, 0) = ${hresult.excludedByRule})`;

const matched = { link: number, anchor: number, target: { orNull: number }, same: number };
type Matched = Row<typeof matched>;

/** The second stage: the anchors of the documents that the links were found in. */
export async function updateAnchors(db: Db, plan: Plan, links: readonly Link[]): Promise<void> {
  const last = links.at(-1)?.id ?? 0;
  const these = sql`l.crawl_id = ${plan.crawl} and l.link_id <= ${last}`;
  const pairs = await db.all(
    matched,
    sql`
      select l.link_id as "link", a.link_id as "anchor", a.target_doc_id as "target",
        case when coalesce(l.anchor_hash, 0) = coalesce(a.anchor_hash, 0)
          and (coalesce(l.anchor_hash, 0) = 0 or l.anchor_key = a.anchor_key) then 1 else 0 end as "same"
      from crawl_links l
      join anchor_text a on a.source_doc_id = l.source_doc_id and a.link_ordinal = l.first_link
        and a.link_hash = l.display_hash and a.link_key = l.display_key
      where ${these} and not ${saysNothing}`,
  );
  await refresh(db, plan, pairs);
  await addAnchors(db, plan, links, new Set(pairs.map(({ link }) => link)));
  await removeLost(db, plan, these);
}

/**
 * Anchors that are still there get the text that they have now; where it changed, their targets have changed. One link has
 * several anchors where several documents have the URL that it leads to.
 */
async function refresh(db: Db, { crawl }: Plan, pairs: readonly Matched[]): Promise<void> {
  if (pairs.length === 0) return;
  const unchanged = pairs.filter(({ same }) => same === 1);
  const asBefore = new Set(unchanged.map(({ link }) => link));
  const changed = pairs.filter(({ link }) => !asBefore.has(link)).toSorted((one, other) => one.link - other.link);
  // What has changed is seen after what has not, and the last link to say so is right.
  const seen = lastOfEach([...unchanged, ...changed], ({ anchor }) => anchor);
  await db.run(sql`
    update anchor_text set crawl_id = ${crawl}, anchor_text = l.anchor_text, anchor_key = l.anchor_key,
      anchor_hash = l.anchor_hash
    from ${table(
      { link: 'bigint', anchor: 'bigint' },
      seen.map(({ link, anchor }) => [link, anchor]),
    )} p
    join crawl_links l on l.link_id = p.link
    where anchor_text.link_id = p.anchor`);
  await note(
    db,
    sql`changed_targets`,
    crawl,
    changed.map(({ target }) => target),
  );
  await noteSources(
    db,
    crawl,
    changed.map(({ link }) => link),
  );
}

async function addAnchors(db: Db, plan: Plan, links: readonly Link[], known: ReadonlySet<number>): Promise<void> {
  const fresh = links.filter(({ id }) => !known.has(id)).map((link) => [link.id, plan.documentOf(link)] as const);
  if (fresh.length === 0) return;
  const added = await db.all(
    { link: number, target: { orNull: number } },
    sql`
      insert into anchor_text (source_doc_id, link, link_key, link_hash, lcid, anchor_text, anchor_key, anchor_hash,
        link_ordinal, pid, source_doc_site_id, inter_site, crawl_id, target_doc_id)
      select l.source_doc_id, l.display_url, l.display_key, l.display_hash, l.lcid, l.anchor_text, l.anchor_key,
        l.anchor_hash, l.first_link, l.pid, l.site_id, l.inter_site, ${plan.crawl}, f.target
      from ${table({ link: 'bigint', target: 'bigint' }, fresh)} f join crawl_links l on l.link_id = f.link
      where not ${saysNothing}
      order by f.link
      returning link_id as "link", target_doc_id as "target"`,
  );
  await note(
    db,
    sql`changed_targets`,
    plan.crawl,
    added.map(({ target }) => target),
  );
  await db.run(sql`
    insert into changed_sources (crawl_id, doc_id)
    select distinct ${plan.crawl}, a.source_doc_id from anchor_text a
    where a.link_id in ${list(
      'bigint',
      added.map(({ link }) => link),
    )} and a.source_doc_id is not null
    on conflict (crawl_id, doc_id) do nothing`);
}

async function noteSources(db: Db, crawl: number, links: readonly number[]): Promise<void> {
  if (links.length === 0) return;
  await db.run(sql`
    insert into changed_sources (crawl_id, doc_id)
    select distinct ${crawl}, l.source_doc_id from crawl_links l
    where l.link_id in ${list('bigint', links)} and l.source_doc_id is not null
    on conflict (crawl_id, doc_id) do nothing`);
}

/** A Last Link ends what was found in its document: anchors there that this crawl has not seen are gone. */
async function removeLost(db: Db, { crawl }: Plan, these: Sql): Promise<void> {
  const lost = await db.all(
    { target: { orNull: number } },
    sql`
      delete from anchor_text where crawl_id < ${crawl} and source_doc_id in (
        select l.source_doc_id from crawl_links l
        where ${these} and l.item_type = ${itemType.lastLink} and coalesce(l.parent_process_change_log, 0) = 0)
      returning target_doc_id as "target"`,
  );
  await note(
    db,
    sql`changed_targets`,
    crawl,
    lost.map(({ target }) => target),
  );
}

/** Adds documents to one of the sets of changed ones, unless they are there; NULL and -1 are none. */
async function note(db: Db, set: Sql, crawl: number, documents: readonly (number | null)[]): Promise<void> {
  const known = [...new Set(documents)].filter((document) => document !== null && document !== -1);
  if (known.length === 0) return;
  await db.run(sql`
    insert into ${set} (crawl_id, doc_id)
    select ${crawl}, value from ${list('bigint', known)} d where true
    on conflict (crawl_id, doc_id) do nothing`);
}
