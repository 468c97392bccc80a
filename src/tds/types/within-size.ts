import { type ByteStream, firstBytes } from './byte-stream.ts';
import { maxBytes } from './long-value.ts';
import type { AnyType } from './sql-type.ts';

/** True for what SET TEXTSIZE limits: text, ntext, image and the max types, but not xml. */
const isLimited = ({ name, maxLength }: AnyType): boolean =>
  name === 'text' || name === 'ntext' || name === 'image' || (maxLength < 0 && name !== 'xml');

/** A type whose values are truncated to this many bytes when sent; its TYPE_INFO says so if it contains a length. */
export function withinSize(type: AnyType, size: number): AnyType {
  if (!isLimited(type) || size <= 0 || size >= maxBytes) return type;
  const { long, pieces, writeSteps } = type;
  const limit = type.name.startsWith('n') ? size - (size % 2) : size;
  return {
    ...type,
    writeInfo(out, dialect) {
      const start = out.length;
      type.writeInfo(out, dialect);
      // The length of a long type follows its first byte; a max type sent in pieces has none.
      if (long?.applies(dialect)) out.patchU32(start + 1, limit);
    },
    write: (out, value, dialect) => type.write(out, value === null ? null : cut(value, type, limit), dialect),
    ...(writeSteps === undefined
      ? {}
      : { writeSteps: (out, value, dialect) => writeSteps(out, cut(value, type, limit), dialect) }),
    ...(pieces === undefined ? {} : { pieces: (value: ByteStream) => pieces(firstBytes(value, limit)) }),
  };
}

function cut(value: unknown, { name, pieces }: AnyType, limit: number): unknown {
  if (typeof value === 'string') return value.slice(0, name.startsWith('n') ? limit / 2 : limit);
  if (value instanceof Uint8Array) return value.subarray(0, limit);
  // Any other value belongs to a type that is sent in pieces.
  return pieces === undefined ? value : firstBytes(value as ByteStream, limit);
}
