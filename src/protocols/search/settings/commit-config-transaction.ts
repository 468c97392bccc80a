import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { TransactionID } from './params.ts';

export const commitConfigTransaction = procedure({
  name: 'proc_MSS_CommitConfigTransaction',
  section: 'MS-SQLPGAT2 3.1.5.5',
  summary: 'Applies all changes of a configuration transaction, and closes it.',
  access: 'write',
  params: { TransactionID },
  outcomes: { done: { code: 0, meaning: 'The properties are set, if the transaction was open.' } },
  async handle({ db }, { TransactionID: id }) {
    await db.run(sql`
      insert into configuration_properties (name_key, name, value)
      select name_key, name, value from configuration_transaction_values where transaction_id = ${id}
      on conflict (name_key) do update set value = excluded.value`);
    await db.run(sql`delete from configuration_transaction_values where transaction_id = ${id}`);
    await db.run(sql`delete from configuration_transactions where id = ${id}`);
    return { outcome: 'done' };
  },
});
