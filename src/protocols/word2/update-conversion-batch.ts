import { updateConversionBatch as first } from '../word/update-conversion-batch.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const updateConversionBatch = asInVersion1(first, '3.2.5.3');
