import { submitJob as first } from '../word/submit-job.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const submitJob = asInVersion1(first, '3.2.5.4');
