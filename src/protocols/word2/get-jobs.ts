import { getJobs as first } from '../word/get-jobs.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const getJobs = asInVersion1(first, '3.2.5.8');
