import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';

export const removeConfigTransactions = procedure({
  name: 'proc_MSS_RemoveConfigTransactions',
  section: 'MS-SQLPGAT2 3.1.5.71',
  summary: 'Discards all open configuration transactions and their changes.',
  access: 'write',
  params: {},
  outcomes: { done: { code: 0, meaning: 'No transaction is open.' } },
  async handle({ db }) {
    await db.run(sql`delete from configuration_transaction_values`);
    await db.run(sql`delete from configuration_transactions`);
    return { outcome: 'done' };
  },
});
