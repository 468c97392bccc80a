import type { ItemError } from '../../protocols/jobs/item-errors.ts';

/** Why an item could not be done, in words for the person who submitted it. */
export class WorkError extends Error {
  override readonly name = 'WorkError';
  readonly kind: ItemError;

  constructor(kind: ItemError, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
  }
}
