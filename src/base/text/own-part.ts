/**
 * In V8, a substring of 13 or more characters is a reference to the whole text: whoever keeps twenty characters of
 * sixty megabytes keeps all sixty, while memory accounting sees forty bytes. A part that may outlive the whole is
 * copied.
 */
const copiedAnyway = 12;

/** A whole this short costs little, however short the part that is kept. */
const shortWhole = 100;

/**
 * A part longer than this is not copied: copying would keep others waiting, and such a part holds as much memory by
 * itself.
 */
const longestCopy = 8 * 1024 * 1024;

/** A part of a text that does not keep the rest of it in memory. */
export function ownPart(whole: string, from: number, to = whole.length): string {
  const part = whole.slice(from, to);
  return whole.length <= shortWhole || part.length === whole.length ? part : ownText(part);
}

/** A text that may be part of another one, which it does not keep in memory. */
export const ownText = (text: string): string =>
  text.length <= copiedAnyway || text.length > longestCopy ? text : copied(text);

/** V8 flattens a concatenation into a new text before it takes a part of it. */
const copied = (text: string): string => ` ${text}`.slice(1);

/** Bytes that do not keep the rest of a larger buffer in memory. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (isShared(bytes) ? new Uint8Array(bytes) : bytes);

const isShared = ({ buffer, byteLength }: Uint8Array): boolean =>
  buffer.byteLength > byteLength + shortWhole && byteLength <= longestCopy;

/** Values to be kept, such as those of a row: bytes among them keep no larger buffer in memory. */
export function ownValues(values: readonly unknown[]): readonly unknown[] {
  const isPart = (value: unknown): boolean => value instanceof Uint8Array && isShared(value);
  return values.some(isPart) ? values.map(ownValue) : values;
}

/** The same for one value. */
export const ownValue = (value: unknown): unknown => (value instanceof Uint8Array ? ownBytes(value) : value);
