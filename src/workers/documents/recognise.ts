import { open } from 'node:fs/promises';
import { WorkError } from './work-error.ts';
import { type ZipDirectory, zipDirectory } from './zip-directory.ts';

/** How much a document may be. */
export interface DocumentLimits {
  /** Bytes of the file. */
  readonly largest: number;
  /** Bytes of what a zip unpacks to. */
  readonly largestUnpacked: number;
}

/** Files in a zip; no document has as many. */
const mostEntries = 50_000;
/** The number of initial bytes that identify most formats. */
const headSize = 4096;

const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const openDocuments: Readonly<Record<string, string>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
};
const openXmlParts = { docx: 'word/', xlsx: 'xl/', pptx: 'ppt/' };
const compoundStreams = { doc: ['WordDocument'], xls: ['Workbook', 'Book'], ppt: ['PowerPoint Document'] };

const recognised = new Set([
  'pdf',
  'rtf',
  'html',
  'txt',
  ...Object.values(openDocuments),
  ...Object.keys(openXmlParts),
  ...Object.keys(compoundStreams),
]);

/** Whether a format is known here. */
export const isRecognised = (format: string): boolean => recognised.has(format);

/**
 * Checks that a file has the format of its name, within limits; LibreOffice would take most other things for plain text
 * and convert that. Rejects with a WorkError.
 */
export async function checkDocument(path: string, format: string, limits: DocumentLimits): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size > limits.largest) throw tooLarge(`It has ${size} bytes; ${limits.largest} are allowed.`);
  const head = Buffer.alloc(Math.min(size, headSize));
  await file.read(head, 0, head.length, 0);
  const zip = head.subarray(0, 2).toString('latin1') === 'PK' ? await zipDirectory(file) : undefined;
  if (zip !== undefined) checkZip(zip, limits);
  const found = zip === undefined ? await withoutZip(head, () => file.readFile()) : formatOfZip(zip, head);
  if (found === 'encrypted') throw new WorkError('passwordProtected', 'The document is password-protected.');
  if (found === format || (found === 'text' && isText(format, head))) return;
  const really = found === 'text' || found === undefined ? '' : `, but ${found}`;
  throw new WorkError('unreadable', `It is not what its name says: not ${format}${really}.`);
}

function checkZip({ names, unpacked }: ZipDirectory, { largestUnpacked }: DocumentLimits): void {
  if (unpacked > largestUnpacked || names.length > mostEntries) {
    throw tooLarge(`It unpacks to ${unpacked} bytes in ${names.length} files; ${largestUnpacked} bytes are allowed.`);
  }
}

const tooLarge = (why: string): WorkError => new WorkError('tooLarge', `The document is too large. ${why}`);

function formatOfZip({ names }: ZipDirectory, head: Buffer): string | undefined {
  // OpenDocument stores its media type first, uncompressed, after a header of 30 bytes and the name `mimetype`.
  const type = /^mimetype([a-z.\-/]+?)(?:PK|$)/.exec(
    head.subarray(30, 120).toString('latin1').split('\0')[0] ?? '',
  )?.[1];
  if (type !== undefined && openDocuments[type] !== undefined) return openDocuments[type];
  if (!names.includes('[Content_Types].xml')) return 'a zip';
  const parts = Object.entries(openXmlParts).find(([, folder]) => names.some((name) => name.startsWith(folder)));
  return parts?.[0];
}

async function withoutZip(head: Buffer, whole: () => Promise<Buffer>): Promise<string | undefined> {
  if (head.subarray(0, 8).equals(compound)) return formatOfCompound(await whole());
  const text = head.toString('latin1');
  if (text.slice(0, 1024).includes('%PDF-')) return 'pdf';
  if (text.startsWith('{\\rtf')) return 'rtf';
  const isWide = /^(\xff\xfe|\xfe\xff)/.test(text);
  return text.includes('\0') && !isWide ? undefined : 'text';
}

function formatOfCompound(content: Buffer): string | undefined {
  const has = (stream: string) => content.includes(Buffer.from(`${stream}\0`, 'utf16le'));
  if (has('EncryptedPackage')) return 'encrypted';
  return Object.entries(compoundStreams).find(([, streams]) => streams.some(has))?.[0];
}

/** Any text is accepted as text, but a page must have a tag. */
function isText(format: string, head: Buffer): boolean {
  if (format === 'txt') return true;
  return format === 'html' && /<(!doctype|[a-z][a-z0-9]*[\s/>])/i.test(head.toString('latin1').replaceAll('\0', ''));
}
