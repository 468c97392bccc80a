import { getGroups as first } from '../word/get-groups.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const getGroups = asInVersion1(first, '3.2.5.10');
