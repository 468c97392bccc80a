import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { giveBack } from './give-back.ts';
import { isHeld } from './lease.ts';
import { leaseOver } from './lease-over.ts';
import { heldItem } from './params.ts';

export const returnItem = procedure({
  name: 'ReturnItem',
  schema: 'granary',
  section: 'Granary',
  summary: 'Releases an item that a worker holds, without counting an attempt; 50101 when the worker does not hold it.',
  access: 'write',
  bringsWork: true,
  params: heldItem,
  outcomes: { done: { code: 0, meaning: 'The item is back in the line.' } },
  async handle({ db, now }, { Lease, ...item }) {
    const { JobId, GroupId, ItemId } = item;
    const given = await giveBack(
      db,
      sql`
        items.job_key = (select j.job_key from jobs j where j.job_id = ${JobId})
        and items.group_id = ${GroupId} and items.item_id = ${ItemId} ${isHeld(Lease, now)}`,
    );
    if (given === 0) throw await leaseOver(db, item, Lease);
    return { outcome: 'done' };
  },
});
