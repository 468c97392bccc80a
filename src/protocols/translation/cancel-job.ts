import { cancelJobOf } from '../jobs/cancel-job.ts';

export const cancelJob = cancelJobOf('MS-TSSPROC 3.1.5.4', 'translation');
