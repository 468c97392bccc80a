import { promisify } from 'node:util';
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { CrawlError } from './crawl-error.ts';

type Decompress = (body: InputType, options: { maxOutputLength: number }) => Promise<Buffer>;

const unzip: Decompress = promisify(gunzip);
const inflateWrapped: Decompress = promisify(inflate);
const inflateBare: Decompress = promisify(inflateRaw);
const unbrotli: Decompress = promisify(brotliDecompress);
const unzstd: Decompress = promisify(zstdDecompress);

/** Servers disagree on the meaning of deflate: with a zlib header or without. */
const undeflate: Decompress = (body, options) =>
  inflateWrapped(body, options).catch((error: unknown) => {
    if (codeOf(error) !== 'Z_DATA_ERROR') throw error;
    return inflateBare(body, options);
  });

const decoders: Readonly<Record<string, Decompress>> = {
  gzip: unzip,
  'x-gzip': unzip,
  deflate: undeflate,
  br: unbrotli,
  zstd: unzstd,
};

/**
 * Values by which servers mean no encoding: some send them to turn compression off, or take the header for the charset.
 */
const noEncoding: ReadonlySet<string> = new Set(['', 'identity', 'none', 'binary', 'utf-8', 'utf8']);

/** The most nested encodings: each costs the time of a whole document. */
const mostLayers = 5;

/** Decodes the Content-Encoding of a body; decoding stops as soon as it becomes too large. */
export async function decoded(body: Uint8Array, encoding: string, largest: number): Promise<Uint8Array> {
  let bytes = body;
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  const layers = names.reverse().filter((each) => !noEncoding.has(each));
  if (layers.length > mostLayers) throw new CrawlError('unreadable', `It is encoded ${layers.length} times.`);
  for (const name of layers) {
    const decode = decoders[name];
    if (decode === undefined) throw new CrawlError('unreadable', `The encoding ${name} is unknown.`);
    if (bytes.length === 0) return bytes;
    try {
      bytes = await decode(bytes, { maxOutputLength: largest });
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new CrawlError('tooLarge', 'The document is too large.');
      throw new CrawlError('unreadable', `The document is not encoded as ${name}.`, { cause: error });
    }
  }
  return bytes;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
