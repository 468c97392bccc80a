import { SqlError } from '../../../base/messages/sql-error.ts';
import { flag } from '../../../protocols/search/gather/values.ts';
import { CrawlError } from '../fetch/crawl-error.ts';
import type { Item } from './item.ts';
import { readMemory } from './memory.ts';
import { type Outcome, unchanged } from './outcome.ts';

/** Errors for a value that cannot be stored: malformed, too large, too long, or against a rule. */
const numbers = new Set([220, 232, 245, 515, 2628, 8114, 8115, 8152, 9420, 50000]);

/** True if a database refused a value, so that the same call with other values may succeed. */
export const isAboutValues = (error: unknown): error is SqlError =>
  error instanceof SqlError && numbers.has(error.number);

/** The outcome of an item that a database refuses: an error, with everything else unchanged. */
export function notTaken(item: Item, { message }: SqlError): Outcome {
  const { hresult, message: description } = new CrawlError('unreadable', `The database refuses it: ${message}`);
  return {
    ...unchanged(item, readMemory(item.DocPropsBlob)),
    flags: item.TransactionFlags & ~flag.folder,
    hresult,
    description: description.slice(0, 1024),
    isRetry: false,
  };
}
