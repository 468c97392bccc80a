/** Names that clients send in every call, each kept once and found by its bytes: one that came before is not decoded again. */
const kept: (string | undefined)[] = new Array<string | undefined>(1024).fill(undefined);
/** Longer ones are rare, and would take much room. */
const longest = 64;

/** The UTF-16LE text at a place of a buffer, which holds so many characters. */
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

/** The same text with a byte a character inside the engine, where that is enough: what is done with it takes half as long. */
const narrowed = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? Buffer.from(text, 'latin1').toString('latin1') : text;
