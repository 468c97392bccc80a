import { bytesOf, int32 } from './field.ts';
import { layout } from './layout.ts';

/** Sets the property tracker blob of a document, or removes the document if the blob is NULL. */
export const anchorAdd = layout('Update Anchor Add Record', '2.2.3.1', 12, {
  DocId: int32,
  PropertyTrackerBlob: bytesOf,
});
