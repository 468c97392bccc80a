import { addJob as first } from '../word/add-job.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const addJob = asInVersion1(first, '3.2.5.14');
