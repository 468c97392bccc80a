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

/** How documents begin that browsers recognise where no server says what they are (WHATWG MIME Sniffing 7.1). */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [
    /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i,
    'text/html',
  ],
  [/^%PDF-/, 'application/pdf'],
];
/** As much of a document is looked at. */
const searched = 1445;

function recognised(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, searched)).toString('latin1');
  return beginnings.find(([beginning]) => beginning.test(start))?.[1];
}

/**
 * The media type of a document: what its server says; where that says nothing, what its extension stands for; and where
 * there is nothing at all, what it looks like.
 */
export function mediaTypeOf(mediaType: string, url: string, body: Uint8Array): string {
  if (!isVague(mediaType)) return mediaType;
  return byExtension[extensionOf(url)] ?? (mediaType === '' ? recognised(body) : undefined) ?? mediaType;
}
