import { getItems as first } from '../word/get-items.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const getItems = asInVersion1(first, '3.2.5.9');
