import { schemaIn } from '../jobs/xml/schema.ts';

/** databaseJobAdd (2.2.6.4.2). */
export const jobAdd = schemaIn(new URL('./schema/database-job-add.xsd', import.meta.url));

/** databaseBatchUpdate (2.2.6.4.1). */
export const batchUpdate = schemaIn(new URL('./schema/database-batch-update.xsd', import.meta.url));
