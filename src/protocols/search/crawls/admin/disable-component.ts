import { sql } from '../../../../engine/sql.ts';
import { type Stage, stage } from '../../stage.ts';
import { componentState } from '../../topology/component-state.ts';

/** A component leaves its crawls and is no longer the master, or stage 96 would never choose another one. */
const disable = (summary: string, state: number): Stage =>
  stage({
    summary,
    access: 'write',
    heeds: ['MiscInputData'],
    names: ['MiscInputData'],
    async run({ db }, { MiscInputData: component }) {
      await db.run(sql`update crawl_components set state = ${state}, is_master = 0 where number = ${component}`);
      await db.run(sql`delete from crawl_component_status where component_id = ${component}`);
    },
  });

/** 162. */
export const disableComponent = disable('Disables a component.', componentState.disabled);

/** 165. */
export const disableForRemoval = disable(
  'Disables a component that is to be removed.',
  componentState.disabledForRemoval,
);
