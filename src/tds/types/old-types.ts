import type { ByteReader } from '../byte-reader.ts';
import { badMetadata } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import type { AnyType } from './sql-type.ts';

/** Text and bytes of up to 255 bytes with a one-byte length, 0 for NULL: types 0x25, 0x27, 0x2D and 0x2F. */
export const readOldInfo =
  (make: (length: number) => AnyType) =>
  (info: ByteReader, _dialect: Dialect, typeByte: number): AnyType => {
    const limit = info.u8();
    const type = make(Math.max(1, limit));
    return {
      ...type,
      read(bytes) {
        const length = bytes.u8();
        if (length === 0) return null;
        if (length > limit || type.variant === undefined) throw badMetadata(bytes.subject, typeByte);
        return type.variant.read(bytes, length);
      },
    };
  };
