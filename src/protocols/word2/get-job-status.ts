import { getJobStatus as first } from '../word/get-job-status.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const getJobStatus = asInVersion1(first, '3.2.5.7');
