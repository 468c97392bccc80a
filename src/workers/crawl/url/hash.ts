import { hash } from 'node:crypto';

const digest = (text: string | Uint8Array): Buffer => hash('sha256', text, 'buffer');

/**
 * The one hash of the crawler, for URLs, anchors, contents and properties: the first 32 bits of the SHA-256 of the text
 * in UTF-8 (or of the bytes), as a signed int. Letters of another case make another hash, so that URLs that differ only
 * in that are two documents.
 */
export const hash32 = (text: string | Uint8Array): number => digest(text).readInt32BE(0);

/** The first 64 bits of the same digest. */
export const hash64 = (text: string | Uint8Array): bigint => digest(text).readBigInt64BE(0);

/**
 * The compact URL of an item: the first 160 bits of the same digest of its access URL, in the 40 hexadecimal digits
 * that fit.
 */
export const compactUrl = (accessUrl: string): string => digest(accessUrl).toString('hex', 0, 20);

/**
 * The hash of a compact URL. Of one that is made so it is the first 32 bits of the digest again, which begin it: a
 * document has one hash for all its URLs, and one entry by hash in its crawl store.
 */
export const compactHash = (compact: string): number =>
  /^[0-9a-f]{40}$/.test(compact) ? Number.parseInt(compact.slice(0, 8), 16) | 0 : hash32(compact);

/** The identity of contents where 32 bits are too few: the first 128 bits of the same digest. */
export const contentSignature = (content: Uint8Array): string => digest(content).toString('base64url', 0, 16);
