import { extensionOf } from '../url/normal-url.ts';

/** What files are by their extension, where nobody says it. */
const byExtension: Readonly<Record<string, string>> = {
  htm: 'text/html',
  html: 'text/html',
  xhtml: 'application/xhtml+xml',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  log: 'text/plain',
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
};

/** Types that say nothing. */
const isVague = (mediaType: string): boolean =>
  mediaType === '' || mediaType === 'application/octet-stream' || mediaType === 'application/zip';

/** The media type of a document: what its server says, or what its extension stands for where that says nothing. */
export const mediaTypeOf = (mediaType: string, url: string): string =>
  isVague(mediaType) ? (byExtension[extensionOf(url)] ?? mediaType) : mediaType;
