import type { Kind } from '../../procedure/kind.ts';
import { jobRelations } from '../jobs/relations.ts';
import { jobRules } from '../jobs/rules.ts';
import { jobSchema } from '../jobs/schema.ts';
import { jobTallies } from '../jobs/tallies.ts';
import { tryItemsAgain } from '../jobs/try-items-again.ts';
import { jobUpkeep } from '../jobs/upkeep.ts';
import { addGroup } from './add-group.ts';
import { addJob } from './add-job.ts';
import { cancelAllActiveJobs } from './cancel-all-active-jobs.ts';
import { cancelJob } from './cancel-job.ts';
import { translationClaims } from './claims.ts';
import { getConversionBatch } from './get-conversion-batch.ts';
import { getConversionBatchInterleaved } from './get-conversion-batch-interleaved.ts';
import { getGroups } from './get-groups.ts';
import { getItemCount } from './get-item-count.ts';
import { getItems } from './get-items.ts';
import { getJobStatus } from './get-job-status.ts';
import { getJobs } from './get-jobs.ts';
import { hasActiveJobs } from './has-active-jobs.ts';
import { jobsExpire } from './jobs-expire.ts';
import { countRelations } from './relations.ts';
import { submitJob } from './submit-job.ts';
import { updateConversionBatch } from './update-conversion-batch.ts';
import { updateFailedItem } from './update-failed-item.ts';
import { updateItemCount } from './update-item-count.ts';
import { updateSucceededItem } from './update-succeeded-item.ts';

/** Machine-translation jobs (MS-TSSPROC). */
export const translation: Kind = {
  name: 'translation',
  firstDatabase: 'TranslationServices',
  procedures: [
    addGroup,
    addJob,
    cancelAllActiveJobs,
    cancelJob,
    getConversionBatch,
    getConversionBatchInterleaved,
    getGroups,
    getItemCount,
    getItems,
    getJobs,
    getJobStatus,
    hasActiveJobs,
    jobsExpire,
    submitJob,
    updateConversionBatch,
    updateFailedItem,
    updateItemCount,
    updateSucceededItem,
    ...Object.values(translationClaims),
    tryItemsAgain,
  ],
  relations: [...jobRelations, ...countRelations],
  schema: jobSchema('translation', new URL('./migrations/', import.meta.url)),
  upkeep: jobUpkeep,
  rules: jobRules,
  tallies: jobTallies,
};
