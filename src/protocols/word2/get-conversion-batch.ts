import { getConversionBatch as first } from '../word/get-conversion-batch.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const getConversionBatch = asInVersion1(first, '3.2.5.11');
