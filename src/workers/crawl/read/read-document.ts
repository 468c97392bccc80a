import { decodeText } from './charset.ts';
import { readHtml } from './read-html.ts';
import { officeForm, readOffice } from './read-office.ts';
import { readPdf } from './read-pdf.ts';
import { Gathered, nothingRead, type Reading, type ReadRequest } from './reading.ts';

const html = /^(text\/html|application\/xhtml\+xml)$/;
const plain = /^(text\/.*|application\/(json|xml|.*\+(json|xml)))$/;

/** Whether there is a reader for a media type; others are kept as what is known of them without reading. */
export const isReadable = (mediaType: string): boolean =>
  html.test(mediaType) ||
  plain.test(mediaType) ||
  mediaType === 'application/pdf' ||
  officeForm(mediaType) !== undefined;

/** Reads a document by the reader of its media type. */
export function readDocument(request: ReadRequest): Reading | Promise<Reading> {
  const { mediaType } = request;
  if (html.test(mediaType)) return readHtml(request);
  if (plain.test(mediaType)) return readPlain(request);
  if (mediaType === 'application/pdf') return readPdf(request);
  const form = officeForm(mediaType);
  return form === undefined ? nothingRead : readOffice(request, form);
}

function readPlain({ body, charset }: ReadRequest): Reading {
  const text = new Gathered();
  text.add(decodeText(body, charset));
  return { ...nothingRead, text: text.toString() };
}
