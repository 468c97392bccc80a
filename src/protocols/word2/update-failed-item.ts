import { updateFailedItem as first } from '../word/update-failed-item.ts';
import { asInVersion1 } from './as-in-version-1.ts';

export const updateFailedItem = asInVersion1(first, '3.2.5.2');
