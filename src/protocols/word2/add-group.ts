import { addGroup as first } from '../word/add-group.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const addGroup = asInVersion1(first, '3.2.5.15');
