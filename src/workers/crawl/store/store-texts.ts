import { longestText } from '../../../protocols/search/full-text/document.ts';
import { documentsJson, putDocumentTexts } from '../../../protocols/search/full-text/put-document-texts.ts';
import type { Farm } from './farm.ts';
import type { KeptDocument } from './property-records.ts';
import type { TextIndex } from './text-index.ts';

/** Puts texts into the index of the property store that has the document: `granary.Find` finds them there. */
export const storeTexts = (farm: Farm): TextIndex => ({
  async put(documents) {
    for (const [store, its] of Map.groupBy(documents, ({ docId }) => farm.propertyStoreOf(docId))) {
      const Documents = documentsJson(its.map(textOf));
      await store?.call(putDocumentTexts, { Documents }, { idempotent: true });
    }
  },
  // A text is removed with its document, which the commit removes from the property store.
  remove: async () => {},
});

const textOf = ({ docId, url, document }: KeptDocument) => {
  const { title, text, author, description, keywords, mediaType, extension } = document;
  const properties = { author, description, keywords, type: mediaType, extension };
  return { DocID: docId, Url: url, Title: title, Text: text.slice(0, longestText), Properties: properties };
};
