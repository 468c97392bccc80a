import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { int } from '../../../tds/types/index.ts';

export const createConfigTransaction = procedure({
  name: 'proc_MSS_CreateConfigTransaction',
  section: 'MS-SQLPGAT2 3.1.5.11',
  summary: 'Opens a configuration transaction.',
  access: 'write',
  params: {},
  outcomes: { created: { code: int, meaning: 'The identifier of the transaction, above all that were given before.' } },
  async handle({ db }) {
    const taken = await db.first(
      { last: int },
      sql`update configuration_last_transaction set last = last + 1 where one = 1 returning last as "last"`,
    );
    if (taken === undefined) throw new Error('the table configuration_last_transaction has lost its row');
    await db.run(sql`insert into configuration_transactions (id) values (${taken.last})`);
    return { outcome: 'created', returns: taken.last };
  },
});
