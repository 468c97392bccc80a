import { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { badLength } from '../stream-error.ts';
import type { FixedForm, SqlType, VariantForm } from './sql-type.ts';

/** The encoding of a value without its length, and its possible lengths. */
export interface Body<Value> {
  readonly size: number;
  /** Lengths that a client may send besides `size`. */
  readonly otherSizes?: readonly number[];
  write(out: ByteWriter, value: Value): void;
  /** Present if a value is encoded differently inside a sql_variant. */
  readonly writeVariant?: (out: ByteWriter, value: Value) => void;
  read(bytes: ByteReader, length: number): Value;
}

type Described<Value> = Pick<
  SqlType<Value>,
  'name' | 'declaration' | 'maxLength' | 'precision' | 'scale' | 'check' | 'fromStore' | 'toStore' | 'wide'
> & {
  /** TYPE_INFO as it is sent, starting with the type byte. */
  readonly info: readonly number[];
  /** The type byte of such a value in a sql_variant, and its properties. */
  readonly variantByte: number;
  /** True if that byte is also the type of a column that is never NULL. */
  readonly hasFixedForm?: true;
  readonly variantProperties?: readonly number[];
};

/** A type whose values are preceded by a one-byte length, 0 for NULL (BYTELEN_TYPE, MS-TDS 2.2.5.4.3). */
export function byteLengthType<Value>(described: Described<Value>, body: Body<Value>): SqlType<Value> {
  const { info, variantByte, variantProperties = [], hasFixedForm, ...rest } = described;
  const infoBytes = Uint8Array.from(info);
  const sizes = new Set([body.size, ...(body.otherSizes ?? [])]);
  const variant: VariantForm<Value> = {
    typeByte: variantByte,
    properties: Uint8Array.from(variantProperties),
    write: body.writeVariant ?? body.write,
    read(bytes, length) {
      if (length !== body.size && !sizes.has(length)) throw badLength(bytes.subject, rest.name);
      return body.read(bytes, length);
    },
  };
  const fixed = (): FixedForm<Value> => ({
    typeByte: variantByte,
    zero: body.read(new ByteReader(Buffer.alloc(body.size)), body.size),
    write: body.write,
    read: (bytes) => body.read(bytes, body.size),
  });
  return {
    ...rest,
    lengthBytes: 1,
    variant,
    ...(hasFixedForm ? { fixed: fixed() } : {}),
    writeInfo: (out) => out.bytes(infoBytes),
    write(out, value) {
      if (value === null) return out.u8(0);
      out.u8(body.size);
      body.write(out, value);
    },
    read(bytes) {
      const length = bytes.u8();
      return length === 0 ? null : variant.read(bytes, length);
    },
  };
}
