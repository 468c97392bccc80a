import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, optional } from '../../../procedure/param.ts';
import { bit, int, nvarchar } from '../../../tds/types/index.ts';
import { putBack } from '../put-back.ts';
import { stopItem } from '../stop-item.ts';
import { isHeld } from './lease.ts';
import { leaseOver } from './lease-over.ts';
import { heldItem } from './params.ts';

export const failItem = procedure({
  name: 'FailItem',
  schema: 'granary',
  section: 'Granary',
  summary:
    'Returns an item that a worker holds to the queue for another attempt, or ends it with an error; 50101 when the worker does not hold it.',
  access: 'write',
  bringsWork: true,
  params: {
    ...heldItem,
    NoRetry: nullable(bit, 'Zero allows another attempt while attempts remain.'),
    ErrorCode: nullable(int, 'What the attempt failed with.'),
    Message: optional(nvarchar(1000), null, 'What people should know of it.'),
  },
  outcomes: { done: { code: 0, meaning: 'The item waits for another attempt, or has failed.' } },
  async handle({ db, now }, { Lease, NoRetry, ErrorCode, Message, ...item }) {
    const condition = isHeld(Lease, now);
    const failure = sql`last_error = ${ErrorCode}, last_message = ${Message}`;
    if (await putBack(db, item, NoRetry, { condition, changes: sql`, ${failure}` })) return { outcome: 'done' };
    const changes = sql`error_code = ${ErrorCode}, worker = null, attempts_remaining = 0, ${failure}`;
    if (!(await stopItem(db, now, item, changes, condition))) throw await leaseOver(db, item, Lease);
    return { outcome: 'done' };
  },
});
