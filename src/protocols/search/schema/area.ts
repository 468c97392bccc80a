import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { addAndReturnCrawledProperty } from './add-and-return-crawled-property.ts';
import { addCrawledPropertyCategoryWithDefaults } from './add-crawled-property-category-with-defaults.ts';
import { getCrawledPropMappingUpdates } from './get-crawled-prop-mapping-updates.ts';
import { getCrawledProperties } from './get-crawled-properties.ts';
import { getManagedProperties } from './get-managed-properties.ts';
import { getMappingsForCrawledPropertiesById } from './get-mappings-for-crawled-properties-by-id.ts';
import { getRankingModels } from './get-ranking-models.ts';
import { getSampleExtremes } from './get-sample-extremes.ts';
import { getSchemaHighLevelInfo } from './get-schema-high-level-info.ts';
import { getSchemaMappings } from './get-schema-mappings.ts';
import { getSchemaParameters } from './get-schema-parameters.ts';
import { getStaticRankingFeatures } from './get-static-ranking-features.ts';
import { schemaRelations } from './relations.ts';
import { setCrawledPropertyIsSampleCacheFull } from './set-crawled-property-is-sample-cache-full.ts';
import { truncateCleanupTable } from './truncate-cleanup-table.ts';

/** Managed and crawled properties and their mappings. */
export const schema: Area = {
  procedures: [
    addAndReturnCrawledProperty,
    addCrawledPropertyCategoryWithDefaults,
    getCrawledPropMappingUpdates,
    getCrawledProperties,
    getManagedProperties,
    getMappingsForCrawledPropertiesById,
    getRankingModels,
    getSampleExtremes,
    getSchemaHighLevelInfo,
    getSchemaMappings,
    getSchemaParameters,
    getStaticRankingFeatures,
    setCrawledPropertyIsSampleCacheFull,
    truncateCleanupTable,
  ],
  relations: schemaRelations,
  migrations: migrationsIn('search/schema', new URL('./migrations/', import.meta.url)),
};
