import { extensionOf } from '../url/normal-url.ts';

/** The media types of extensions, for files without a declared type. */
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

/** Types that carry no information. */
const isVague = (mediaType: string): boolean =>
  mediaType === '' || mediaType === 'application/octet-stream' || mediaType === 'application/zip';

/** The beginnings by which browsers recognise documents whose type no server declares (WHATWG MIME Sniffing 7.1). */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [
    /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i,
    'text/html',
  ],
  [/^%PDF-/, 'application/pdf'],
];
/** How much of a document is examined. */
const searched = 1445;

function recognised(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, searched)).toString('latin1');
  return beginnings.find(([beginning]) => beginning.test(start))?.[1];
}

/**
 * The media type of a document: the one its server declares; if that carries no information, the one of its extension;
 * without either, the one that its contents suggest.
 */
export function mediaTypeOf(mediaType: string, url: string, body: Uint8Array): string {
  if (!isVague(mediaType)) return mediaType;
  return byExtension[extensionOf(url)] ?? (mediaType === '' ? recognised(body) : undefined) ?? mediaType;
}
