import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Turn } from '../../../base/threads/turn.ts';
import type { Field, Gap, Streams } from './field.ts';

/** The fields of a record, in the order of its bytes. */
export type Fields = Readonly<Record<string, Field<unknown> | Gap>>;

/** The contents of a record: its fields, except reserved ones. */
export type RecordValue<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Gap ? never : K]: Exclude<F[K], Gap> extends Field<infer V> ? V : never;
};

/** A binary record of 2.2.3: packed without padding, so that record n starts at n times its length. */
export interface Layout<F extends Fields> {
  readonly name: string;
  readonly section: string;
  readonly fields: F;
  readonly length: number;
}

/** Declares a record; its fields must add up to the length that the specification states. */
export function layout<const F extends Fields>(name: string, section: string, length: number, fields: F): Layout<F> {
  const sum = Object.values(fields).reduce((total, { size }) => total + size, 0);
  if (sum !== length) throw new Error(`${name}: its fields take ${sum} bytes, not ${length}`);
  return { name, section, fields, length };
}

/** What a call carries: the records, how many there are, and the streams that they point into. */
export interface Packed {
  readonly rows: number | null;
  readonly records: Uint8Array | null;
  readonly text?: string | null;
  readonly bytes?: Uint8Array | null;
}

const none = new Uint8Array(0);

/** Reads all records of a blob; without any row the blob is ignored. What does not fit is error 50000. */
export function unpack<F extends Fields>(of: Layout<F>, packed: Packed): readonly RecordValue<F>[] {
  const { rows, view, streams } = opened(of, packed);
  return Array.from({ length: rows }, (_, row) => readRecord(of, view, row, streams));
}

/** Records that are read between two checks of the clock. */
const rowsBetweenLooks = 256;

/** As `unpack`, but lets other sessions run meanwhile. */
export async function unpackInTurns<F extends Fields>(
  of: Layout<F>,
  packed: Packed,
  turn: Turn,
): Promise<readonly RecordValue<F>[]> {
  const { rows, view, streams } = opened(of, packed);
  const values: RecordValue<F>[] = [];
  for (let row = 0; row < rows; row++) {
    values.push(readRecord(of, view, row, streams));
    if (row % rowsBetweenLooks === 0 && turn.isOver) await turn.giveWay();
  }
  return values;
}

/** The records of a blob that has the announced number of them. */
function opened<F extends Fields>(of: Layout<F>, { rows, records, text, bytes }: Packed) {
  if (rows === null || rows < 0)
    throw ruleBroken(`${of.name} (${of.section}): ${rows ?? 'NULL'} is not a number of rows.`);
  const blob = (rows === 0 ? undefined : records) ?? none;
  if (blob.length !== rows * of.length) {
    throw ruleBroken(
      `${of.name} (${of.section}): ${rows} rows of ${of.length} bytes are announced, but the blob has ${blob.length} bytes.`,
    );
  }
  const streams: Streams = { text: text ?? '', bytes: bytes ?? none };
  return { rows, view: new DataView(blob.buffer, blob.byteOffset, blob.length), streams };
}

function readRecord<F extends Fields>(of: Layout<F>, view: DataView, row: number, streams: Streams): RecordValue<F> {
  const value: Record<string, unknown> = {};
  let at = row * of.length;
  for (const name in of.fields) {
    const field = of.fields[name];
    if (field === undefined) continue;
    if ('read' in field) {
      try {
        value[name] = field.read(view, at, streams);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw ruleBroken(`${of.name} (${of.section}), row ${row}, ${name}: ${error.message}.`);
      }
    }
    at += field.size;
  }
  // Every field that holds something was just read by its own declaration.
  return value as RecordValue<F>;
}
