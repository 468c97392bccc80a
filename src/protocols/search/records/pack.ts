import type { StreamWriter } from './field.ts';
import type { Fields, Layout, RecordValue } from './layout.ts';

/** Records ready to be sent: their blob, and the streams that they point into. */
export interface PackedRecords {
  readonly rows: number;
  readonly records: Uint8Array;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Packs records as clients send them; the values of the streams follow each other. */
export function pack<F extends Fields>(of: Layout<F>, values: readonly RecordValue<F>[]): PackedRecords {
  const records = new Uint8Array(values.length * of.length);
  const view = new DataView(records.buffer);
  const streams = growing();
  let at = 0;
  for (const value of values) {
    // Only by name: which field has which type is settled by RecordValue.
    const byName = value as Readonly<Record<string, unknown>>;
    for (const [name, field] of Object.entries(of.fields)) {
      if ('write' in field) field.write(view, at, byName[name], streams.writer);
      at += field.size;
    }
  }
  return { rows: values.length, records, ...streams.whole() };
}

function growing() {
  const texts: string[] = [];
  const chunks: Uint8Array[] = [];
  let characters = 0;
  let length = 0;
  const writer: StreamWriter = {
    text(value) {
      const start = characters;
      texts.push(value);
      characters += value.length;
      return start;
    },
    bytes(value) {
      const start = length;
      chunks.push(value);
      length += value.length;
      return start;
    },
  };
  return { writer, whole: () => ({ text: texts.join(''), bytes: Buffer.concat(chunks) }) };
}
