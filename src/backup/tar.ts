import { basename, dirname } from 'node:path/posix';
import { BadArchive } from './bad-archive.ts';

const block = 512;
/** The header's fields for a path, and for the folders of one that does not fit there. */
const nameField = { at: 0, length: 100 };
const foldersField = { at: 345, length: 155 };

/** A POSIX tar header for a file; sizes that do not fit into eleven octal digits are binary, as in GNU tar. */
export function tarHeader(path: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(block);
  const [folders, name] = isLongPath(path) ? [dirname(path), basename(path)] : ['', path];
  if (Buffer.byteLength(name) > nameField.length || Buffer.byteLength(folders) > foldersField.length)
    throw new RangeError(`${path} is too long for a name in the archive.`);
  header.write(name, nameField.at, 'utf8');
  header.write(folders, foldersField.at, 'utf8');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0'.repeat(2), 108, 'latin1');
  writeSize(header, size);
  header.write(`${octal(Math.floor(modified.getTime() / 1000), 11)}\0`, 136, 'latin1');
  header.write(' '.repeat(8), 148, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\0' + '00', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

/** Whether a path does not fit into one field: its folders are in another one. */
export const isLongPath = (path: string): boolean => Buffer.byteLength(path) > nameField.length;

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

const mostOctal = 8 ** 11 - 1;

function writeSize(header: Buffer, size: number): void {
  if (size <= mostOctal) header.write(`${octal(size, 11)}\0`, 124, 'latin1');
  else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
}

/** The padding that fills a file up to a whole number of blocks. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block);

/** The end marker of an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * block);

/** Parses a header; undefined for the zeros that end an archive. */
export function readTarHeader(header: Buffer): { readonly path: string; readonly size: number } | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const stored = Number.parseInt(header.toString('latin1', 148, 154), 8);
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0);
  if (stored !== sum) throw new BadArchive('a header in it is damaged.');
  const isBinary = header.readUInt8(124) === 0x80;
  const size = isBinary ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString('latin1', 124, 135), 8);
  const [folders, name] = [textIn(header, foldersField), textIn(header, nameField)];
  return { path: folders === '' ? name : `${folders}/${name}`, size };
}

const textIn = (header: Buffer, { at, length }: typeof nameField): string =>
  header.toString('utf8', at, at + length).replace(/\0.*$/s, '');

/** The size of a header, to multiples of which files are padded. */
export const tarBlock = block;
