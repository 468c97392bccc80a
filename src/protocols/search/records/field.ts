/** The streams that records point into. */
export interface Streams {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** What packing adds to the streams. */
export interface StreamWriter {
  /** Appends text and returns where it starts, in UTF-16 code units. */
  text(value: string): number;
  /** Appends bytes and returns where they start. */
  bytes(value: Uint8Array): number;
}

/**
 * One field of a record: how many bytes it takes there, and how they are read and written. All integers are big-endian.
 */
export interface Field<Value> {
  readonly size: number;
  /** Throws a RangeError that describes the inconsistency, if there is one. */
  read(view: DataView, at: number, streams: Streams): Value;
  write(view: DataView, at: number, value: Value, streams: StreamWriter): void;
}

/** A field that holds nothing: skipped on the way in, zeros on the way out. */
export interface Gap {
  readonly size: number;
  readonly unused: true;
}

export const uint8: Field<number> = {
  size: 1,
  read: (view, at) => view.getUint8(at),
  write: (view, at, value) => view.setUint8(at, value),
};

export const int16: Field<number> = {
  size: 2,
  read: (view, at) => view.getInt16(at),
  write: (view, at, value) => view.setInt16(at, value),
};

export const int32: Field<number> = {
  size: 4,
  read: (view, at) => view.getInt32(at),
  write: (view, at, value) => view.setInt32(at, value),
};

export const int64: Field<bigint> = {
  size: 8,
  read: (view, at) => view.getBigInt64(at),
  write: (view, at, value) => view.setBigInt64(at, value),
};

/** Bytes within the record itself. */
export const block = (size: number): Field<Uint8Array> => ({
  size,
  read: (view, at) => new Uint8Array(view.buffer, view.byteOffset + at, size).slice(),
  write: (view, at, value) => new Uint8Array(view.buffer, view.byteOffset + at, size).set(value.subarray(0, size)),
});

export const unused = (size: number): Gap => ({ size, unused: true });

/** Offset (4 bytes) and length of a text in the record's stream of characters; the length 0 means NULL. */
export const textOf = (length: Field<number>): Field<string | null> => ({
  size: int32.size + length.size,
  read(view, at, streams) {
    const span = readSpan(view, at, length, streams.text.length, 'characters');
    return span === undefined ? null : streams.text.slice(span.start, span.end);
  },
  write(view, at, value, streams) {
    int32.write(view, at, value === null ? 0 : streams.text(value), streams);
    length.write(view, at + int32.size, value?.length ?? 0, streams);
  },
});

/** Offset and length (4 bytes each) of a value in the record's stream of bytes; the length 0 means NULL. */
export const bytesOf: Field<Uint8Array | null> = {
  size: 2 * int32.size,
  read(view, at, streams) {
    const span = readSpan(view, at, int32, streams.bytes.length, 'bytes');
    return span === undefined ? null : streams.bytes.subarray(span.start, span.end);
  },
  write(view, at, value, streams) {
    int32.write(view, at, value === null ? 0 : streams.bytes(value), streams);
    int32.write(view, at + int32.size, value?.length ?? 0, streams);
  },
};

const nowhere: Streams = { text: '', bytes: new Uint8Array(0) };

function readSpan(view: DataView, at: number, lengthField: Field<number>, available: number, unit: string) {
  const start = int32.read(view, at, nowhere);
  const length = lengthField.read(view, at + int32.size, nowhere);
  if (length === 0) return undefined;
  if (length < 0) throw new RangeError(`its length is ${length}`);
  if (start < 0 || start + length > available) {
    throw new RangeError(`${length} ${unit} from ${start} on lie outside a stream of ${available}`);
  }
  return { start, end: start + length };
}
