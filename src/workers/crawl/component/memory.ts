/** What the crawler wants to know of a document when it comes back to it; the queue hands it out as DocPropsBlob. */
export interface Memory {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** The signature of its content. */
  readonly signature?: string | undefined;
  readonly title?: string | undefined;
  readonly lcid?: number | undefined;
  /** How many redirects have led to it. */
  readonly redirects?: number | undefined;
  /** True where it asks not to be found. */
  readonly noIndex?: boolean | undefined;
  /** What of it was left out, in words: it is left out still when the document was not modified. */
  readonly leftOut?: string | undefined;
}

/** The most bytes of a DocPropsBlob (3.1.5.66). */
const largest = 2048;

/** Writes a memory into as many bytes as there are: the title is the first to go, then what the server sent. */
export function writeMemory(memory: Memory): Uint8Array {
  const { title: _title, etag: _etag, lastModified: _lastModified, ...least } = memory;
  const shorter: readonly Memory[] = [memory, { ...memory, title: undefined }, least];
  for (const each of shorter) {
    const bytes = Buffer.from(JSON.stringify(each));
    if (bytes.length <= largest) return bytes;
  }
  return Buffer.from('{}');
}

/** Reads a memory; what is none, or of another crawler, is nothing remembered. */
export function readMemory(blob: Uint8Array | null): Memory {
  if (blob === null) return {};
  try {
    const read: unknown = JSON.parse(Buffer.from(blob).toString());
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
