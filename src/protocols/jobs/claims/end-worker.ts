import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { giveBack } from './give-back.ts';
import { leaseTime } from './lease.ts';
import { workerParam } from './params.ts';

export const endWorker = procedure({
  name: 'EndWorker',
  schema: 'granary',
  section: 'Granary',
  summary: 'Releases everything that a worker holds and removes the worker, which is stopping.',
  access: 'write',
  bringsWork: true,
  params: workerParam,
  outcomes: { done: { code: 0, meaning: 'The worker holds nothing.' } },
  async handle({ db, now }, { Worker }) {
    await giveBack(db, sql`items.leased_until > ${leaseTime(now)} and items.worker = ${Worker}`);
    await db.run(sql`delete from workers where worker = ${Worker}`);
    return { outcome: 'done' };
  },
});
