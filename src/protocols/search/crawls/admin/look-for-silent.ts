import { sql } from '../../../../engine/sql.ts';
import { int } from '../../../../tds/types/index.ts';
import { stage } from '../../stage.ts';
import { componentState } from '../../topology/component-state.ts';

/** What stage 96 answers when every component has reported in time. */
const noComponent = 0x7fffffff;

/** 96. */
export const lookForSilent = stage({
  summary: 'Names a component that has been silent for too many minutes, and sees to it that there is a master.',
  access: 'write',
  heeds: ['MiscInputData'],
  sets: ['MiscOutputData'],
  async run({ db, now }, { MiscInputData: minutes }) {
    const before = new Date(now.getTime() - minutes * 60_000);
    const silent = await db.first(
      { number: int },
      sql`
        select number as "number" from crawl_components c
        where report_time < ${before}
          and state not in (${componentState.disabled}, ${componentState.inactive}, ${componentState.disabledForRemoval})
        order by report_time limit 1`,
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
