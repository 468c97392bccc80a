import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { prepareForAnnotationsUpdate } from './prepare-for-annotations-update.ts';
import { annotationRelations } from './relations.ts';
import { setAnnotationsPendingStatus } from './set-annotations-pending-status.ts';
import { truncateAnnotationsTables } from './truncate-annotations-tables.ts';

/** Annotations of documents, and those that wait for an anchor crawl. */
export const annotations: Area = {
  procedures: [prepareForAnnotationsUpdate, setAnnotationsPendingStatus, truncateAnnotationsTables],
  relations: annotationRelations,
  migrations: migrationsIn('search/annotations', new URL('./migrations/', import.meta.url)),
};
