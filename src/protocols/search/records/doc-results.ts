import { bytesOf, int16, int32, int64, textOf, uint8, unused } from './field.ts';
import { layout } from './layout.ts';

const text = textOf(int16);

/** What result pages show of a document. */
export const docResults = layout('DocResults Update Record', '2.2.3.9', 122, {
  DocId: int32,
  summaryBlobSize: int32,
  size: int64,
  lastModified: int64,
  isDocument: uint8,
  isPictureUrl: uint8,
  author: text,
  title: text,
  url: text,
  pictureThumbnailUrl: text,
  contentClass: text,
  fileExtension: text,
  tags: text,
  propertyBlob: bytesOf,
  placeHolder: unused(8),
  siteName: text,
  description: text,
  placeHolder2: unused(6),
  numberOfMembers: int32,
  pictureHeightAndWidth: int64,
  displayDate: int64,
});

/** The social tags of a document. */
export const docResultsAnchor = layout('DocResults Anchor Update Record', '2.2.3.11', 10, {
  DocId: int32,
  popularSocialTags: text,
});
