import { sql } from '../../../../engine/sql.ts';
import { int } from '../../../../tds/types/index.ts';
import { stage } from '../../stage.ts';
import { componentState } from '../../topology/component-state.ts';
import { isOngoing } from '../crawl-status.ts';

/** Stage 96 returns this when every component has reported in time. */
const noComponent = 0x7fffffff;

/**
 * When a component `c` last reported. One that never has counts from when its store joined a running crawl that waits
 * for it.
 */
const lastHeardOf = sql`coalesce(c.report_time, (
  select min(s.join_time) from crawl_component_status p
  join crawl_store_status s on s.crawl_id = p.crawl_id and s.crawl_store = c.crawl_store
  where p.component_id = c.number and p.crawl_id in (select crawl_id from crawls where ${isOngoing})))`;

/** 96. */
export const lookForSilent = stage({
  summary: 'Returns a component that has been silent for too many minutes, and ensures that there is a master.',
  access: 'write',
  heeds: ['MiscInputData'],
  sets: ['MiscOutputData'],
  async run({ db, now }, { MiscInputData: minutes }) {
    const before = new Date(now.getTime() - minutes * 60_000);
    const silent = await db.first(
      { number: int },
      sql`
        select c.number as "number" from crawl_components c
        where ${lastHeardOf} < ${before}
          and c.state not in (${componentState.disabled}, ${componentState.inactive}, ${componentState.disabledForRemoval})
        order by ${lastHeardOf}, c.number limit 1`,
    );
    await db.run(sql`
      update crawl_components set is_master = 1
      where number = (
          select min(number) from crawl_components
          where state = ${componentState.ready} and desired_state <> ${componentState.inactive})
        and not exists (select 1 from crawl_components where is_master = 1)`);
    return { MiscOutputData: silent?.number ?? noComponent };
  },
});
