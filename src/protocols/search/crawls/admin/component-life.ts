import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { int } from '../../../../tds/types/index.ts';
import { isFoundation, stage } from '../../stage.ts';
import { componentState } from '../../topology/component-state.ts';
import { isOngoing } from '../crawl-status.ts';

/** 94. */
export const componentReady = stage({
  summary: 'A component is ready, and joins the crawls that its store is part of.',
  access: 'write',
  heeds: ['ComponentID'],
  names: ['ComponentID'],
  async run({ db, now }, { ComponentID }) {
    // A component that never reports counts as silent from here on.
    await db.run(sql`
      update crawl_components set state = ${componentState.ready}, report_time = coalesce(report_time, ${now})
      where number = ${ComponentID}`);
    await db.run(sql`
      insert into crawl_component_status (crawl_id, component_id)
      select s.crawl_id, c.number from crawl_components c
      join crawl_store_status s on s.crawl_store = c.crawl_store
      where c.number = ${ComponentID} and s.crawl_id in (select crawl_id from crawls where ${isOngoing})
      on conflict (crawl_id, component_id) do nothing`);
  },
});

/** 95. */
export const componentReports = stage({
  summary: 'A component reports that it is alive, and receives its state.',
  access: 'write',
  heeds: ['ComponentID'],
  names: ['ComponentID'],
  sets: ['MiscOutputData'],
  async run(call, { ComponentID }) {
    await call.db.run(sql`
      update crawl_components set report_time = ${call.now}
      where number = ${ComponentID} and state not in (${componentState.disabled}, ${componentState.disabledForRemoval})`);
    return { MiscOutputData: await stateOf(call, ComponentID) };
  },
});

/** 97. */
export const tellState = stage({
  summary: 'Returns the state of a component.',
  access: 'read',
  heeds: ['ComponentID'],
  names: ['ComponentID'],
  sets: ['MiscOutputData'],
  run: async (call, { ComponentID }) => ({ MiscOutputData: await stateOf(call, ComponentID) }),
});

/** 98. */
export const setState = stage({
  summary: 'Sets the state of a component; one that becomes inactive is no longer the master.',
  access: 'write',
  heeds: ['ComponentID', 'MiscInputData'],
  names: ['ComponentID'],
  async run(call, { ComponentID, MiscInputData: state }) {
    const stepsDown = state === componentState.inactive && !isFoundation(call);
    await call.db.run(sql`
      update crawl_components set state = ${state}, is_master = case when ${stepsDown} = 1 then 0 else is_master end
      where number = ${ComponentID}`);
  },
});

async function stateOf({ db }: Call, component: number): Promise<number> {
  const row = await db.first(
    { state: int },
    sql`select state as "state" from crawl_components where number = ${component}`,
  );
  return row?.state ?? componentState.notInitialized;
}
