import { cancelJob as first } from '../word/cancel-job.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const cancelJob = asInVersion1(first, '3.2.5.12');
