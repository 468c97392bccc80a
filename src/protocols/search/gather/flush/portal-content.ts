import { type Sql, sql, table } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { isFoundation } from '../../stage.ts';
import { matchedAnchors, updatingAnchors } from './anchors.ts';
import { takeColleagues } from './colleagues.ts';
import { Identifiers, type Interval, isHandedOutAgain } from './identifiers.ts';
import { KnownRecords } from './known.ts';
import { firstLinks, type Link } from './link.ts';
import { decideOneByOne } from './one-by-one.ts';
import { OutOfIdentifiers, Plan } from './plan.ts';
import { decideTogether } from './together.ts';
import { writing } from './write.ts';

/** The most links that a call imports. */
const most = 1000;

interface Flushed {
  readonly links: number;
  readonly hasMore: boolean;
}

/**
 * Imports the next links of a portal crawl; returns undefined if there are not enough document identifiers for them.
 */
export async function flushPortalContent(
  call: Call,
  crawl: number,
  brought: Interval | undefined,
): Promise<Flushed | undefined> {
  const { db } = call;
  const links = await firstLinks(db, crawl, most);
  const decided = await decide(call, crawl, links, brought);
  if (decided === undefined) return undefined;
  const { plan, identifiers, taken } = decided;
  const anchors = await matchedAnchors(db, crawl, taken);
  await db.runAll([
    ...identifiers.saving(),
    ...addingHosts(taken),
    ...writing(plan),
    ...updatingAnchors(plan, taken, anchors),
    ...removingLinks(crawl, taken),
  ]);
  const moreColleagues = !isFoundation(call) && (await takeColleagues(db, crawl));
  return { links: taken.length, hasMore: taken.length < links.length || links.length === most || moreColleagues };
}

interface Decided {
  readonly plan: Plan;
  readonly identifiers: Identifiers;
  readonly taken: readonly Link[];
}

/**
 * Decides all links, or only as many as there are identifiers for if the caller would be given the same interval again:
 * otherwise it would retry for ever.
 */
async function decide(
  { db }: Call,
  crawl: number,
  links: readonly Link[],
  brought: Interval | undefined,
): Promise<Decided | undefined> {
  let taken = links;
  for (;;) {
    const identifiers = await Identifiers.load(db, brought, taken.length);
    const plan = new Plan(crawl, await KnownRecords.of(db, crawl, taken), identifiers);
    try {
      decideOneByOne(plan, decideTogether(plan, taken));
      return { plan, identifiers, taken };
    } catch (error) {
      if (!(error instanceof OutOfIdentifiers)) throw error;
      const fits = taken.slice(0, taken.indexOf(error.link));
      if (fits.length === 0 || !(await isHandedOutAgain(db, brought))) return undefined;
      taken = fits;
    }
  }
}

/** New hosts get a record; if links name one differently, the smallest name is used. */
function addingHosts(links: readonly Link[]): Sql[] {
  const names = new Map<number, string | null>();
  for (const { hostId, host } of links) {
    const name = names.get(hostId);
    if (name == null || (host !== null && host < name)) names.set(hostId, host);
  }
  if (names.size === 0) return [];
  return [
    sql`
      insert into crawled_hosts (host_id, host_name)
      select m.id, m.name from ${table({ id: 'bigint', name: 'text' }, [...names])} m
      where not exists (select 1 from crawled_hosts h where h.host_id = m.id)`,
  ];
}

function removingLinks(crawl: number, links: readonly Link[]): Sql[] {
  const last = links.at(-1);
  return last === undefined ? [] : [sql`delete from crawl_links where crawl_id = ${crawl} and link_id <= ${last.id}`];
}
