import type { KeptDocument } from './property-records.ts';

/** Where the texts of documents go, so that they can be found: a property store has an index for them. */
export interface TextIndex {
  /** Puts the texts of documents, instead of those that were there. */
  put(documents: readonly KeptDocument[]): Promise<void>;
  remove(documents: readonly number[]): Promise<void>;
}

/** Keeps no texts. */
export const noTextIndex: TextIndex = { put: async () => {}, remove: async () => {} };
