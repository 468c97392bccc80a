import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { int, nvarchar, sqlVariant } from '../../../tds/types/index.ts';

const name = stored(nvarchar(300), 'name', { key: 'name_key' });
const value = stored(orNull(sqlVariant), 'value');

/** The three sets of 3.1.1.36. */
export const settingsRelations: readonly Relation[] = [
  relation({
    name: 'ConfigurationProperties',
    columns: { Name: name, Value: value },
    from: sql`configuration_properties`,
    primaryKey: ['Name'],
  }),
  relation({
    name: 'UncommittedConfigurationTransactions',
    columns: { TransactionID: stored(int, 'id') },
    from: sql`configuration_transactions`,
    primaryKey: ['TransactionID'],
  }),
  relation({
    name: 'ConfigurationPropertiesTransactions',
    columns: { Name: name, Value: value, TransactionID: stored(int, 'transaction_id') },
    from: sql`configuration_transaction_values`,
    primaryKey: ['TransactionID', 'Name'],
  }),
];
