import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Call } from '../../../procedure/call.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, int } from '../../../tds/types/index.ts';
import { project } from '../crawls/crawl-status.ts';
import { isFoundation } from '../stage.ts';
import { localState } from './component-check.ts';
import { flushAnchorProject } from './flush/anchor-project.ts';
import { greatestDocId, type Interval } from './flush/identifiers.ts';
import { flushPortalContent } from './flush/portal-content.ts';
import { workingStates } from './values.ts';

export const flushTemp0 = procedure({
  name: 'proc_MSS_FlushTemp0',
  section: 'MS-SQLPGAT2 3.1.5.14',
  summary: 'Imports the links that clients loaded for a crawl into the history, the queue and the anchors.',
  access: 'serial',
  params: {
    ComponentID: nullable(int, 'The crawl component.'),
    FlushProjectID: nullable(int, 'The project (2.2.1.1).'),
    FlushCrawlID: nullable(int, 'The crawl.'),
    LogDiscoveredLinks: nullable(int, 'Ignored.'),
    ApplicationType: nullable(int, '1; ignored.'),
    MoreLinks: output(bit, 'True where there may be more links.'),
    NextDocID: nullable(int, 'The first of new document identifiers after a call that had not enough, else 0.'),
    MaxDocID: output(int, 'The last of them; when there are not enough, the greatest one in this crawl store.'),
    LinksProcessed: output(int, 'How many links were taken in.'),
  },
  outcomes: {
    failed: { code: 0, meaning: 'The component may not work here, or there is no such project; nothing was changed.' },
    done: { code: 1, meaning: 'The links were taken in.' },
    outOfIdentifiers: { code: 2, meaning: 'There are not enough document identifiers; nothing was changed.' },
  },
  async handle(call, { ComponentID, FlushProjectID, FlushCrawlID, NextDocID, MaxDocID }) {
    const nothing = { MoreLinks: false, LinksProcessed: 0 };
    const state = await localState(call.db, ComponentID);
    if (state === undefined || !workingStates.includes(state)) return { outcome: 'failed', output: nothing };
    const brought = intervalOf(NextDocID ?? 0, MaxDocID ?? 0);
    const flush = FlushProjectID === null ? undefined : projects[FlushProjectID];
    const isAllowed = FlushProjectID !== project.anchor || !isFoundation(call);
    if (flush === undefined || !isAllowed) return { outcome: 'failed', output: nothing };
    const flushed = await flush(call, FlushCrawlID ?? 0, brought);
    if (flushed === undefined)
      return { outcome: 'outOfIdentifiers', output: { ...nothing, MaxDocID: await greatestDocId(call.db) } };
    return { outcome: 'done', output: { MoreLinks: flushed.hasMore, LinksProcessed: flushed.links } };
  },
});

/** The interval that a call passes, if any; identifiers are positive, and -1 means none. */
function intervalOf(first: number, last: number): Interval | undefined {
  if (first === 0 || last === 0) return undefined;
  if (first < 0 || last < first) throw ruleBroken(`${first} to ${last} is not a range of document identifiers.`);
  return { first, last };
}

type Flush = (
  call: Call,
  crawl: number,
  brought: Interval | undefined,
) => Promise<{ readonly links: number; readonly hasMore: boolean } | undefined>;

/** What is done for each project. */
const projects: Readonly<Record<number, Flush>> = {
  [project.portalContent]: flushPortalContent,
  async [project.anchor]({ db }, crawl, brought) {
    const links = await flushAnchorProject(db, crawl, brought);
    return links === undefined ? undefined : { links, hasMore: false };
  },
};
