import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bigint, int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { localState, refuseDisabled } from './component-check.ts';

export const unloadTransactions = procedure({
  name: 'proc_MSS_UnloadTransactions',
  section: 'MS-SQLPGAT2 3.1.5.83',
  summary: 'Returns a batch to the queue.',
  access: 'write',
  params: {
    ComponentID: nullable(int, 'The crawl component.'),
    BatchID: nullable(bigint, 'The batch.'),
  },
  outcomes: done,
  async handle({ db }, { ComponentID, BatchID }) {
    if ((await localState(db, ComponentID)) === undefined) {
      throw ruleBroken(`There is no crawl component ${ComponentID ?? 'NULL'} in this crawl store.`);
    }
    await refuseDisabled(db, ComponentID);
    await db.run(sql`
      update crawl_queue set batch_id = 0, component_id = null where batch_id = ${BatchID} and batch_id <> 0`);
    return { outcome: 'done' };
  },
});
