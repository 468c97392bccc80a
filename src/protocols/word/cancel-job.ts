import { cancelJobOf } from '../jobs/cancel-job.ts';

export const cancelJob = cancelJobOf('MS-WORDSSP 3.1.5.12', 'conversion');
