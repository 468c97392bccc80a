import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { commitConfigTransaction } from './commit-config-transaction.ts';
import { createConfigTransaction } from './create-config-transaction.ts';
import { deleteConfigurationProperties } from './delete-configuration-properties.ts';
import { deleteConfigurationProperty } from './delete-configuration-property.ts';
import { getConfigurationProperties } from './get-configuration-properties.ts';
import { getConfigurationProperty } from './get-configuration-property.ts';
import { getCurrentRegistryVersion } from './get-current-registry-version.ts';
import { settingsRelations } from './relations.ts';
import { removeConfigTransactions } from './remove-config-transactions.ts';
import { setConfigPropertyWithTransaction } from './set-config-property-with-transaction.ts';
import { setConfigurationProperty } from './set-configuration-property.ts';

/** Configuration properties and their transactions. */
export const settings: Area = {
  procedures: [
    commitConfigTransaction,
    createConfigTransaction,
    deleteConfigurationProperties,
    deleteConfigurationProperty,
    getConfigurationProperties,
    getConfigurationProperty,
    getCurrentRegistryVersion,
    removeConfigTransactions,
    setConfigPropertyWithTransaction,
    setConfigurationProperty,
  ],
  relations: settingsRelations,
  migrations: migrationsIn('search/settings', new URL('./migrations/', import.meta.url)),
};
