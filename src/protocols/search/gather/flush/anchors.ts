import type { Row } from '../../../../base/stored.ts';
import type { Db } from '../../../../engine/db.ts';
import { list, lookedUp, type Sql, sql, table } from '../../../../engine/sql.ts';
import { parts } from '../../parts.ts';
import { lastOfEach } from '../../records/index.ts';
import { itemType, number } from '../values.ts';
import type { Link } from './link.ts';
import type { Plan } from './plan.ts';
import { linksOf, runsOf } from './runs.ts';
import { rowsAtATime } from './write.ts';

const matched = { link: number, anchor: number, target: { orNull: number }, same: number };

/** An existing anchor, and a link that represents it. */
type Matched = Row<typeof matched>;

const anchorsOfLinks = lookedUp(
  sql`crawl_links l`,
  sql`anchor_text`,
  sql`a`,
  // A link without a source or a display URL is the same anchor the next time too.
  sql`a.source_doc_id = coalesce(l.source_doc_id, -1) and a.link_ordinal = coalesce(l.first_link, 0)
    and a.link_hash = coalesce(l.display_hash, 0) and coalesce(a.link_key, '') = coalesce(l.display_key, '')`,
);

/** The existing anchors that links represent. */
export async function matchedAnchors(db: Db, crawl: number, links: readonly Link[]): Promise<Matched[]> {
  const saysNothing = new Set(links.filter((link) => link.saysNothing === 1).map(({ id }) => id));
  if (saysNothing.size === links.length) return [];
  const pairs = await db.all(
    matched,
    sql`
      select l.link_id as "link", a.link_id as "anchor", a.target_doc_id as "target",
        case when coalesce(l.anchor_hash, 0) = coalesce(a.anchor_hash, 0)
          and (coalesce(l.anchor_hash, 0) = 0 or l.anchor_key = a.anchor_key) then 1 else 0 end as "same"
      from ${anchorsOfLinks}
      where l.crawl_id = ${crawl} and l.link_id <= ${links.at(-1)?.id ?? 0}`,
  );
  return pairs.filter(({ link }) => !saysNothing.has(link));
}

/** The second stage: the anchors of the documents in which the links were found. */
export const updatingAnchors = (plan: Plan, links: readonly Link[], known: readonly Matched[]): Sql[] => [
  ...refreshing(plan, links, known),
  ...addingAnchors(plan, links, new Set(known.map(({ link }) => link))),
  ...removingLost(plan, links),
];

/**
 * Anchors that still exist get their current text; if it changed, their targets have changed. One link has several
 * anchors if several documents have its URL.
 */
function refreshing({ crawl }: Plan, links: readonly Link[], pairs: readonly Matched[]): Sql[] {
  if (pairs.length === 0) return [];
  const unchanged = pairs.filter(({ same }) => same === 1);
  const asBefore = new Set(unchanged.map(({ link }) => link));
  const changed = pairs.filter(({ link }) => !asBefore.has(link)).toSorted((one, other) => one.link - other.link);
  const isChanged = new Set(changed.map(({ link }) => link));
  // Changed links come after unchanged ones, and the last link wins.
  const seen = lastOfEach([...unchanged, ...changed], ({ anchor }) => anchor);
  return [
    sql`
      update anchor_text set crawl_id = ${crawl}, anchor_text = l.anchor_text, anchor_key = l.anchor_key,
        anchor_hash = l.anchor_hash
      from ${table(
        { link: 'bigint', anchor: 'bigint' },
        seen.map(({ link, anchor }) => [link, anchor]),
      )} p
      join crawl_links l on l.link_id = p.link
      where anchor_text.link_id = p.anchor`,
    ...notingTargets(
      crawl,
      changed.map(({ target }) => target),
    ),
    ...notingSources(
      crawl,
      links.filter(({ id }) => isChanged.has(id)),
    ),
  ];
}

function addingAnchors(plan: Plan, links: readonly Link[], known: ReadonlySet<number>): Sql[] {
  const fresh = links.filter(({ id, saysNothing }) => saysNothing === 0 && !known.has(id));
  if (fresh.length === 0) return [];
  const targets = fresh.map((link) => plan.documentOf(link));
  const rows = fresh.map(({ id }, at) => ({ link: id, document: targets[at] ?? null }));
  return [
    ...parts(rows, rowsAtATime).map(
      (some) => sql`
      insert into anchor_text (source_doc_id, link, link_key, link_hash, lcid, anchor_text, anchor_key, anchor_hash,
        link_ordinal, pid, source_doc_site_id, inter_site, crawl_id, target_doc_id)
      select coalesce(l.source_doc_id, -1), l.display_url, l.display_key, coalesce(l.display_hash, 0), l.lcid, l.anchor_text, l.anchor_key,
        l.anchor_hash, coalesce(l.first_link, 0), l.pid, l.site_id, l.inter_site, ${plan.crawl}, l.link_id + n.ahead
      from ${linksOf(runsOf(some))}
      order by n.place, l.link_id`,
    ),
    ...notingTargets(plan.crawl, targets),
    ...notingSources(plan.crawl, fresh),
  ];
}

/** A Last Link ends the links of its document: anchors there that this crawl has not seen are removed. */
function removingLost({ crawl }: Plan, links: readonly Link[]): Sql[] {
  const ended = links
    .filter((link) => link.itemType === itemType.lastLink && link.parentProcessChangeLog === 0)
    .map(({ sourceDocId }) => sourceDocId);
  if (ended.length === 0) return [];
  const lost = sql`crawl_id < ${crawl} and source_doc_id in ${list('bigint', [...new Set(ended)])}`;
  return [
    sql`
      insert into changed_targets (crawl_id, doc_id)
      select distinct ${crawl}, target_doc_id from anchor_text where ${lost} and target_doc_id <> -1
      on conflict (crawl_id, doc_id) do nothing`,
    sql`delete from anchor_text where ${lost}`,
  ];
}

/** Adds documents to the changed targets unless they are present; NULL and -1 mean none. */
const notingTargets = (crawl: number, documents: readonly (number | null)[]): Sql[] =>
  noting(sql`changed_targets`, crawl, new Set(documents.filter((document) => document !== -1)));

const notingSources = (crawl: number, links: readonly Link[]): Sql[] =>
  noting(sql`changed_sources`, crawl, new Set(links.map(({ sourceDocId }) => sourceDocId)));

function noting(set: Sql, crawl: number, documents: ReadonlySet<number | null>): Sql[] {
  const known = [...documents].filter((document) => document !== null);
  if (known.length === 0) return [];
  return [
    sql`
      insert into ${set} (crawl_id, doc_id)
      select ${crawl}, value from ${list('bigint', known)} d where true
      on conflict (crawl_id, doc_id) do nothing`,
  ];
}
