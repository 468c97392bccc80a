/** What the crawler stores about a document for its next visit; the queue returns it as DocPropsBlob. */
export interface Memory {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** The signature of its content. */
  readonly signature?: string | undefined;
  readonly title?: string | undefined;
  readonly lcid?: number | undefined;
  /** How many redirects have led to it. */
  readonly redirects?: number | undefined;
  /** True if the document asks not to be indexed. */
  readonly noIndex?: boolean | undefined;
  /** What was left out of it, in words: it is still left out if the document was not modified. */
  readonly leftOut?: string | undefined;
}

/** The most bytes of a DocPropsBlob (3.1.5.66). */
const largest = 2048;

/** Encodes a memory within the available bytes: the title is dropped first, then the server's headers. */
export function writeMemory(memory: Memory): Uint8Array {
  const { title: _title, etag: _etag, lastModified: _lastModified, ...least } = memory;
  const shorter: readonly Memory[] = [memory, { ...memory, title: undefined }, least];
  for (const each of shorter) {
    const bytes = Buffer.from(JSON.stringify(each));
    if (bytes.length <= largest) return bytes;
  }
  return Buffer.from('{}');
}

/** Decodes a memory; an invalid one, or that of another crawler, counts as empty. */
export function readMemory(blob: Uint8Array | null): Memory {
  if (blob === null) return {};
  try {
    const read: unknown = JSON.parse(Buffer.from(blob).toString());
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
