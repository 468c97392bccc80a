/**
 * The runtime makes a part of a text, of 13 characters or more, a reference to all of it: who keeps twenty characters of
 * sixty megabytes keeps the sixty, and whoever counts what is kept sees forty bytes. What may outlive the whole is copied.
 */
const copiedAnyway = 12;

/** A whole that is so short costs little, whatever is kept of it. */
const shortWhole = 100;

/** Characters of a part that is copied: to copy more would keep others waiting, and holds as much by itself. */
const longestCopy = 8 * 1024 * 1024;

/** A part of a text, which does not keep the rest of it. */
export function ownPart(whole: string, from: number, to = whole.length): string {
  const part = whole.slice(from, to);
  return whole.length <= shortWhole || part.length === whole.length ? part : ownText(part);
}

/** A text that may be part of another, which it does not keep. */
export const ownText = (text: string): string =>
  text.length <= copiedAnyway || text.length > longestCopy ? text : copied(text);

/** The runtime takes a sum of two texts apart only by making one of its own of them. */
const copied = (text: string): string => ` ${text}`.slice(1);

/** Bytes, without what else is in the memory that they lie in. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (isShared(bytes) ? new Uint8Array(bytes) : bytes);

const isShared = ({ buffer, byteLength }: Uint8Array): boolean =>
  buffer.byteLength > byteLength + shortWhole && byteLength <= longestCopy;

/** Values that are kept, such as those of a row: bytes among them hold nothing else in memory. */
export function ownValues(values: readonly unknown[]): readonly unknown[] {
  const isPart = (value: unknown): boolean => value instanceof Uint8Array && isShared(value);
  return values.some(isPart) ? values.map(ownValue) : values;
}

/** The same of one value. */
export const ownValue = (value: unknown): unknown => (value instanceof Uint8Array ? ownBytes(value) : value);
