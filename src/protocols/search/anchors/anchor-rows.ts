import { type Sql, sql } from '../../../engine/sql.ts';

/** What a row of GetTopAnchorLinks says about its target (3.1.5.62.1). */
const pid = { anchorText: 10, oneStep: 101, twoSteps: 102, title: 2147418050, url: 2147418051, tracker: 2147418052 };

/** The public relationship of colleagues (3.1.1.11). */
const publicColleague = 394;

/** Changes of a target (2.2.1.23): nothing links to it any more, or something does. */
const [noLinks, links] = [1, 2];

/** All parts have these columns; `link_id` is NULL if the row is not a link, and columns that clients ignore are 0. */
const columns = sql`doc_id, source_doc_id, pid, anchor_numeric, anchor_frequency, lcid, link_id, anchor_text,
  anchor_binary, change_type, inter_site`;

const noText = sql`cast(null as text)`;
const noNumber = sql`cast(null as bigint)`;
// Only PostgreSQL needs the cast; in SQLite NULL has no type.
const noBytes = sql`cast(null as bytea)`;

/** A target whose links are all gone. */
const withoutLinks = sql`
  select t.doc_id, 0 as source_doc_id, ${pid.anchorText} as pid, 0 as anchor_numeric, 0 as anchor_frequency,
    ${noNumber} as lcid, 0 as link_id, ${noText} as anchor_text, ${noBytes} as anchor_binary, t.change_type,
    0 as inter_site
  from targets t where t.change_type = ${noLinks}`;

/** Whether source and target have different hosts; if either is unknown, the value from the link. */
const interSite = sql`
  case when s.host_id = h.host_id then 0 when s.host_id <> h.host_id then 1 else coalesce(a.inter_site, 0) end`;

/** One row per link to the target, with its text. */
const anchorTexts = sql`
  select t.doc_id, coalesce(a.source_doc_id, 0), ${pid.anchorText}, 0, 0,
    case when a.anchor_text is null then null else a.lcid end, a.link_id, a.anchor_text, ${noBytes}, t.change_type,
    ${interSite}
  from targets t join anchor_text a on a.target_doc_id = t.doc_id
  left join crawl_history s on s.doc_id = a.source_doc_id left join crawl_history h on h.doc_id = t.doc_id
  where t.change_type = ${links}`;

/** One row per user who has the target as a colleague. */
const colleagues = sql`
  select distinct t.doc_id, 0, ${pid.oneStep}, 0, 0, 0, ${noNumber}, cast(s.source_user_id as text), ${noBytes},
    t.change_type, 0
  from targets t join social_distance s on s.target_doc_id = t.doc_id
  where t.change_type = ${links} and s.source_user_id is not null`;

/** One row per user who has a colleague that publicly has the target as one. */
const colleaguesOfColleagues = sql`
  select distinct t.doc_id, 0, ${pid.twoSteps}, 0, 0, 0, ${noNumber}, cast(f.source_user_id as text), ${noBytes},
    t.change_type, 0
  from targets t join social_distance s on s.target_doc_id = t.doc_id and s.pid = ${publicColleague}
  join social_distance f on f.target_doc_id = s.source_doc_id and f.source_doc_id <> t.doc_id
  where t.change_type = ${links} and f.source_user_id is not null`;

/** One row per annotation: its number is how often its text occurred, or its value if there is no text. */
const annotations = sql`
  select t.doc_id, 0, a.pid, case when a.annotation_text is null then a.annotation_numeric else 0 end,
    case when a.annotation_text is null then 0 else a.annotation_numeric end,
    case when a.annotation_text is null then null else a.lcid end, ${noNumber}, a.annotation_text, ${noBytes},
    t.change_type, 0
  from targets t join annotations a on a.target_doc_id = t.doc_id and a.pid in (306, 307)
  where t.change_type = ${links}`;

const titles = sql`
  select t.doc_id, 0, ${pid.title}, 0, 0, case when h.title is null then null else h.title_lcid end, ${noNumber},
    h.title, ${noBytes}, t.change_type, 0
  from targets t join crawl_history h on h.doc_id = t.doc_id where t.change_type = ${links}`;

const urls = sql`
  select t.doc_id, 0, ${pid.url}, 0, 0, case when h.display_url is null then null else 0 end, ${noNumber},
    substr(h.display_url, 1, 1500), ${noBytes}, t.change_type, 0
  from targets t join crawl_history h on h.doc_id = t.doc_id where t.change_type = ${links}`;

/** What a client tracked of the target, even if nothing is left to track. */
const trackers = sql`
  select t.doc_id, 0, ${pid.tracker}, 0, 0, ${noNumber}, ${noNumber}, ${noText}, p.property_tracker_blob,
    t.change_type, 0
  from targets t join anchor_doc_props p on p.doc_id = t.doc_id`;

/**
 * Everything that an anchor crawl indexes for the targets; identifiers of rows that are not links follow those of
 * links.
 */
export const anchorRows = (targets: Sql): Sql => sql`
  with targets (doc_id, change_type) as (${targets}),
    found (${columns}) as (
      ${withoutLinks} union all ${anchorTexts} union all ${colleagues} union all ${colleaguesOfColleagues}
      union all ${annotations} union all ${titles} union all ${urls} union all ${trackers})
  select doc_id as "TargetDocID", source_doc_id as "SourceDocID", pid as "Pid", anchor_numeric as "AnchorNumeric",
    anchor_frequency as "AnchorFrequency", lcid as "LCID",
    coalesce(link_id, 4611686018427387904
      + row_number() over (partition by doc_id order by pid, anchor_text, anchor_numeric, anchor_frequency)) as "LinkId",
    anchor_text as "AnchorText", anchor_binary as "AnchorBinary", change_type as "ChangeType",
    inter_site as "InterSite"
  from found order by "TargetDocID", "LinkId"`;
