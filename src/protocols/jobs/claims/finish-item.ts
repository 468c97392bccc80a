import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { stopItem } from '../stop-item.ts';
import { isHeld } from './lease.ts';
import { leaseOver } from './lease-over.ts';
import { heldItem } from './params.ts';

export const finishItem = procedure({
  name: 'FinishItem',
  schema: 'granary',
  section: 'Granary',
  summary: 'Marks an item that a worker holds as finished; 50101 when the worker does not hold it.',
  access: 'write',
  params: heldItem,
  outcomes: { done: { code: 0, meaning: 'The item has succeeded.' } },
  async handle({ db, now }, { Lease, ...item }) {
    const changes = sql`error_code = null, worker = null`;
    if (!(await stopItem(db, now, item, changes, isHeld(Lease, now)))) throw await leaseOver(db, item, Lease);
    return { outcome: 'done' };
  },
});
