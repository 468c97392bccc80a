import { type BatchUpdate, batchUpdateForm, type PackedUpdate } from '../jobs/xml/batch-update.ts';
import { DocumentReader } from '../jobs/xml/document-reader.ts';
import { jobAddForm, type NewItems, type PackedItems } from '../jobs/xml/job-add.ts';

/** databaseJobAdd (2.2.6.4.2). */
export const jobAdd: DocumentReader<NewItems, PackedItems> = new DocumentReader(
  jobAddForm,
  new URL('./schema/database-job-add.xsd', import.meta.url),
);

/** databaseBatchUpdate (2.2.6.4.1). */
export const batchUpdate: DocumentReader<BatchUpdate, PackedUpdate> = new DocumentReader(
  batchUpdateForm,
  new URL('./schema/database-batch-update.xsd', import.meta.url),
);
