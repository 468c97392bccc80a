import { updateSucceededItem as first } from '../word/update-succeeded-item.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const updateSucceededItem = asInVersion1(first, '3.2.5.1');
