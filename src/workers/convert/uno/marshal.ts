import { isSimple, newTypeFlag, notCached, typeClass } from './type-class.ts';

/** A value whose type URP sends with it. */
export type AnyValue =
  | { readonly is: 'boolean'; readonly value: boolean }
  | { readonly is: 'short'; readonly value: number }
  | { readonly is: 'long'; readonly value: number }
  | { readonly is: 'string'; readonly value: string }
  | { readonly is: 'properties'; readonly value: Properties }
  | { readonly is: 'interface'; readonly type: string; readonly oid: string };

/** What UNO calls a sequence of PropertyValue. */
export type Properties = Readonly<Record<string, AnyValue>>;

const propertySequence = '[]com.sun.star.beans.PropertyValue';

/**
 * Writes UNO values in the format of URP (the protocol of UNO's bridges). Nothing is cached: every name is written in
 * full.
 */
export class Marshal {
  readonly #pieces: Buffer[] = [];

  byte(value: number): this {
    this.#pieces.push(Buffer.of(value));
    return this;
  }

  u16(value: number): this {
    const piece = Buffer.alloc(2);
    piece.writeUInt16BE(value);
    this.#pieces.push(piece);
    return this;
  }

  i32(value: number): this {
    const piece = Buffer.alloc(4);
    piece.writeInt32BE(value);
    this.#pieces.push(piece);
    return this;
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value, 'utf8'));
  }

  bytes(value: Uint8Array): this {
    this.#length(value.length);
    this.#pieces.push(Buffer.from(value));
    return this;
  }

  type(kind: number, name = ''): this {
    if (isSimple(kind)) return this.byte(kind);
    return this.byte(kind | newTypeFlag)
      .u16(notCached)
      .text(name);
  }

  /** A reference to an object; an empty one is null. */
  oid(value: string): this {
    return this.text(value).u16(notCached);
  }

  tid(value: Uint8Array): this {
    return this.bytes(value).u16(notCached);
  }

  any(value: AnyValue): this {
    switch (value.is) {
      case 'boolean':
        return this.type(typeClass.boolean).byte(value.value ? 1 : 0);
      case 'short':
        return this.type(typeClass.short).u16(value.value);
      case 'long':
        return this.type(typeClass.long).i32(value.value);
      case 'string':
        return this.type(typeClass.string).text(value.value);
      case 'properties':
        return this.type(typeClass.sequence, propertySequence).properties(value.value);
      case 'interface':
        return this.type(typeClass.interface, value.type).oid(value.oid);
    }
  }

  properties(values: Properties): this {
    const entries = Object.entries(values);
    this.#length(entries.length);
    for (const [name, value] of entries) {
      // Name, Handle, Value, State: the fields of PropertyValue.
      this.text(name).i32(0).any(value).i32(0);
    }
    return this;
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  #length(value: number): void {
    if (value < 0xff) this.byte(value);
    else this.byte(0xff).i32(value);
  }
}
