import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { getRelevanceUpdateData } from './get-relevance-update-data.ts';
import { queryLogRelations } from './relations.ts';

/** What users clicked on in result pages. */
export const queryLog: Area = {
  procedures: [getRelevanceUpdateData],
  relations: queryLogRelations,
  migrations: migrationsIn('search/query-log', new URL('./migrations/', import.meta.url)),
};
