/**
 * A cache of names that clients send in every call, found by their bytes, so that a known name is not decoded again.
 */
const kept: (string | undefined)[] = new Array<string | undefined>(1024).fill(undefined);
/** Longer names are rare and would take much memory. */
const longest = 64;

/** The UTF-16LE text of this many characters at an offset of a buffer. */
export function knownName(bytes: Buffer, at: number, characters: number): string {
  const end = at + characters * 2;
  if (characters > longest) return bytes.toString('utf16le', at, end);
  let hash = characters;
  for (let index = at; index < end; index += 2) hash = Math.imul(hash, 31) + (bytes[index] ?? 0);
  const slot = hash & (kept.length - 1);
  const known = kept[slot];
  if (known !== undefined && known.length === characters && isAt(known, bytes, at)) return known;
  const name = narrowed(bytes.toString('utf16le', at, end));
  kept[slot] = name;
  return name;
}

function isAt(name: string, bytes: Buffer, at: number): boolean {
  for (let index = 0, from = at; index < name.length; index++, from += 2) {
    if (name.charCodeAt(index) !== ((bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8))) return false;
  }
  return true;
}

/** The same text in V8's one-byte representation if possible, which makes operations on it twice as fast. */
const narrowed = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
