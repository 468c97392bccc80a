import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { getMatrixPIAliases } from './get-matrix-pi-aliases.ts';
import { getPreferredNameList } from './get-preferred-name-list.ts';
import { getSDID } from './get-sdid.ts';
import { pushSD } from './push-sd.ts';
import { propertyRelations } from './relations.ts';
import { resetCatalog } from './reset-catalog.ts';
import { setCrawlComponentStatus } from './set-crawl-component-status.ts';
import { updatePropertyStore } from './update-property-store.ts';

/** The property store: properties and security descriptors of documents. */
export const properties: Area = {
  procedures: [
    getMatrixPIAliases,
    getPreferredNameList,
    getSDID,
    pushSD,
    resetCatalog,
    setCrawlComponentStatus,
    updatePropertyStore,
  ],
  relations: propertyRelations,
  migrations: migrationsIn('search/properties', new URL('./migrations/', import.meta.url)),
};
