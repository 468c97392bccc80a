import { submitJobOf } from '../jobs/submit-job.ts';

export const submitJob = submitJobOf('MS-TSSPROC 3.1.5.14', 'translation');
