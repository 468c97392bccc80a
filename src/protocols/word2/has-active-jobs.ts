import { hasActiveJobs as first } from '../word/has-active-jobs.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const hasActiveJobs = asInVersion1(first, '3.2.5.6');
