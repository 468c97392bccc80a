import { cancelAllActiveJobs as first } from '../word/cancel-all-active-jobs.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const cancelAllActiveJobs = asInVersion1(first, '3.2.5.13');
