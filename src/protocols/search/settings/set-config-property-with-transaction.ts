import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { int, sqlVariant } from '../../../tds/types/index.ts';
import { NewName, Value } from './params.ts';

const facts = { isOpen: int, last: int };

export const setConfigPropertyWithTransaction = procedure({
  name: 'proc_MSS_SetConfigPropertyWithTransaction',
  section: 'MS-SQLPGAT2 3.1.5.75',
  summary: 'Records in a configuration transaction that a property is to be set.',
  access: 'write',
  params: { Name: NewName, Value, TransactionID: required(int, 'The configuration transaction.') },
  outcomes: { done: { code: 0, meaning: 'The value is noted, if the transaction is open.' } },
  async handle({ db }, { Name: name, Value: value, TransactionID }) {
    const known = await db.first(
      facts,
      sql`
        select (select count(*) from configuration_transactions where id = ${TransactionID}) as "isOpen", last as "last"
        from configuration_last_transaction`,
    );
    if (TransactionID < 1 || TransactionID > (known?.last ?? 0)) {
      throw ruleBroken(`There is no configuration transaction ${TransactionID}.`);
    }
    // The example of section 4.1 continues to set properties in a transaction that it has committed: without effect.
    if (known?.isOpen !== 1) return { outcome: 'done' };
    const stored = value === null ? null : sqlVariant.toStore(value);
    await db.run(sql`
      insert into configuration_transaction_values (transaction_id, name_key, name, value)
      values (${TransactionID}, ${fold(name)}, ${name}, ${stored})
      on conflict (transaction_id, name_key) do update set value = excluded.value`);
    return { outcome: 'done' };
  },
});
