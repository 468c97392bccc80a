import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { stage } from '../../stage.ts';
import { componentState } from '../../topology/component-state.ts';

/** 93. */
export const addComponent = stage({
  summary: 'A component starts to work on this crawl store.',
  access: 'write',
  heeds: ['ComponentID'],
  names: ['ComponentID'],
  async run({ db }, { ComponentID }) {
    await db.run(sql`
      insert into local_components (component_id, status) values (${ComponentID}, ${componentState.ready})
      on conflict (component_id) do update set status = excluded.status`);
  },
});

/** 90. */
export const recoverComponent = stage({
  summary: 'A component restarts: it is enabled again, and its items are released.',
  access: 'write',
  heeds: ['ComponentID', 'MiscInputData'],
  names: ['ComponentID'],
  async run({ db }, { ComponentID, MiscInputData: keepsItems }) {
    await db.run(sql`
      insert into local_components (component_id, status) values (${ComponentID}, ${componentState.ready})
      on conflict (component_id) do update set status = excluded.status
      where local_components.status = ${componentState.disabled}`);
    if (keepsItems === 0) await freeItems(db, ComponentID);
  },
});

/** 163. */
export const disableComponent = stage({
  summary: 'Disables a component, and releases its items.',
  access: 'write',
  heeds: ['MiscInputData'],
  names: ['MiscInputData'],
  run: ({ db }, { MiscInputData: component }) => disableLocally(db, component),
});

/** Takes a component out of this crawl store. */
async function disableLocally(db: Db, component: number): Promise<void> {
  await db.run(sql`
    update local_components set status = ${componentState.disabled} where component_id = ${component}`);
  await freeItems(db, component);
}

/** Gives the items of a component back to the queue; each is one try more. */
async function freeItems(db: Db, component: number): Promise<void> {
  await db.run(sql`
    update crawl_history set retry = retry + 1
    where doc_id in (select doc_id from crawl_queue where component_id = ${component} and batch_id <> 0)`);
  await db.run(sql`
    update crawl_queue set batch_id = 0, component_id = null where component_id = ${component} and batch_id <> 0`);
}
