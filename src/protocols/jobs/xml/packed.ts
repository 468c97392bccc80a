/** Texts in one buffer, with the length of each; NULL has the length -1. */
export interface PackedTexts {
  readonly units: Uint8Array<ArrayBuffer>;
  readonly lengths: Int32Array<ArrayBuffer>;
}

const isNull = -1;
const bytesAUnit = 2;

/** Packs texts: as separate strings they would be copied one by one on arrival. */
export function packTexts(texts: readonly (string | null)[]): PackedTexts {
  const lengths = Int32Array.from(texts, (text) => text?.length ?? isNull);
  const units = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + Math.max(length, 0), 0) * bytesAUnit);
  let end = 0;
  for (const text of texts) if (text !== null) end += units.write(text, end, 'utf16le');
  return { units, lengths };
}

/** Iterates over packed texts, each unpacked when it is needed. */
export function unpackTexts({ units, lengths }: PackedTexts): () => string | null {
  // A Buffer arrives from another thread as a Uint8Array.
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
  let next = 0;
  let end = 0;
  return () => {
    const length = lengths[next++] ?? isNull;
    if (length === isNull) return null;
    const start = end;
    end += length * bytesAUnit;
    return bytes.toString('utf16le', start, end);
  };
}

/** The buffers of packed content: they are transferred between threads without being copied. */
export function buffersOf(packed: object): ArrayBuffer[] {
  return Object.values(packed).flatMap((part: unknown) => {
    if (ArrayBuffer.isView(part) && part.buffer instanceof ArrayBuffer) return [part.buffer];
    return typeof part === 'object' && part !== null ? buffersOf(part) : [];
  });
}
