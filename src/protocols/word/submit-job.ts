import { submitJobOf } from '../jobs/submit-job.ts';

export const submitJob = submitJobOf('MS-WORDSSP 3.1.5.4', 'conversion');
