import { ByteWriter } from '../byte-writer.ts';
import type { AnyType } from '../types/sql-type.ts';
import type { Dialect } from '../version.ts';
import { type ColumnInfo, formOf, writeColMetadata } from './col-metadata.ts';
import { isLarge, lengthOf, sendSteps } from './large-values.ts';
import { tokenTypes } from './token-type.ts';

const zeros = Buffer.alloc(32 * 1024);

/** Writes the metadata and rows of one result set; created once for a set of columns and a dialect. */
export class ResultWriter {
  readonly columns: readonly ColumnInfo[];
  /** The columns' types in the form in which their values are sent. */
  readonly #forms: readonly AnyType[];
  readonly #dialect: Dialect;
  readonly #compresses: boolean;
  readonly #metadata: Buffer;
  /** The size of a NULL in ROW, by column; in NBCROW it is one bit. 0 if the column has no NULL. */
  readonly #nullSizes: readonly number[];
  readonly #bitmapSize: number;
  /** True if a column's values are streamed, so that rows must go through `streamRow`. */
  readonly #isStreamed: boolean;
  /** The indexes of columns whose values may be long. */
  readonly #unbounded: readonly number[];

  constructor(columns: readonly ColumnInfo[], dialect: Dialect, compresses: boolean = dialect.atLeast74) {
    this.columns = columns;
    this.#forms = columns.map(formOf);
    this.#dialect = dialect;
    this.#compresses = compresses;
    const scratch = new ByteWriter(256);
    writeColMetadata(scratch, columns, dialect);
    this.#metadata = scratch.take();
    this.#nullSizes = columns.map(({ type, nullable }) => {
      if (!nullable && type.fixed !== undefined) return 0;
      type.write(scratch, null, dialect);
      return scratch.take().length;
    });
    this.#bitmapSize = Math.ceil(columns.length / 8);
    this.#isStreamed = columns.some(({ type }) => type.pieces !== undefined);
    this.#unbounded = this.#forms.flatMap(({ writeSteps }, at) => (writeSteps === undefined ? [] : [at]));
  }

  writeMetadata(out: ByteWriter): void {
    out.bytes(this.#metadata);
  }

  /** True for a row that must go through `streamRow`: its values are streamed, or are large together. */
  isStreamed(values: readonly unknown[]): boolean {
    if (this.#isStreamed) return true;
    let length = 0;
    for (const at of this.#unbounded) length += lengthOf(values[at]);
    return isLarge(length);
  }

  /** Writes a row, as NBCROW if that is shorter. If a value cannot be written, nothing of the row is. */
  writeRow(out: ByteWriter, values: readonly unknown[]): void {
    const start = out.length;
    try {
      if (this.#compresses && this.#nullsCost(values) > this.#bitmapSize) this.#writeCompressed(out, values);
      else this.#writePlain(out, values);
    } catch (error) {
      out.truncate(start);
      throw error;
    }
  }

  /**
   * Writes a row whose large values arrive or are sent in pieces. `flush` is called after each piece; it should send
   * what is in `out`, and wait while the client is slow: memory then stays constant whatever the size of the values.
   * The length of a value is sent before its bytes, so a value that fails half-way is filled up with zeros (sent by
   * `finish`), and the columns after it are NULL: the error can then follow in its own token.
   */
  async streamRow(
    out: ByteWriter,
    values: readonly unknown[],
    flush: () => void | Promise<void>,
    finish: () => void | Promise<void> = flush,
  ): Promise<void> {
    out.u8(tokenTypes.row);
    let failure: { readonly thrown: unknown } | undefined;
    for (const [index, type] of this.#forms.entries()) {
      const value = failure ? nothingIn(this.columns[index]) : (values[index] ?? null);
      if (type.writeSteps !== undefined && value !== null) {
        failure = await sendSteps(type.writeSteps(out, value, this.#dialect), flush, finish);
        continue;
      }
      type.write(out, value, this.#dialect);
      if (type.pieces === undefined || value === null) continue;
      const stream = type.pieces(value);
      let left = stream.length;
      try {
        for await (const piece of stream.chunks()) {
          if (piece.length > left) throw new Error(`a value is longer than the ${stream.length} bytes announced`);
          left -= piece.length;
          out.bytes(piece);
          await flush();
        }
        if (left > 0) throw new Error(`a value is ${left} bytes shorter than the ${stream.length} announced`);
      } catch (thrown) {
        failure = { thrown };
        await this.#fill(out, left, finish);
      }
    }
    if (failure) throw failure.thrown;
  }

  async #fill(out: ByteWriter, count: number, finish: () => void | Promise<void>): Promise<void> {
    for (let left = count; left > 0; left -= zeros.length) {
      out.bytes(zeros.subarray(0, left));
      await finish();
    }
  }

  #nullsCost(values: readonly unknown[]): number {
    let cost = 0;
    for (let index = 0; index < values.length; index++) {
      if (values[index] === null) cost += this.#nullSizes[index] ?? 0;
    }
    return cost;
  }

  #writePlain(out: ByteWriter, values: readonly unknown[]): void {
    out.u8(tokenTypes.row);
    const forms = this.#forms;
    for (let index = 0; index < forms.length; index++) {
      forms[index]?.write(out, values[index] ?? null, this.#dialect);
    }
  }

  /** NBCROW (MS-TDS 2.2.7.15): a bit per column, lowest first, set for NULL; then the values that are not NULL. */
  #writeCompressed(out: ByteWriter, values: readonly unknown[]): void {
    out.u8(tokenTypes.nbcRow);
    const { columns } = this;
    for (let from = 0; from < columns.length; from += 8) {
      let bits = 0;
      for (let bit = 0; bit < 8 && from + bit < columns.length; bit++) {
        if ((values[from + bit] ?? null) === null) bits |= 1 << bit;
      }
      out.u8(bits);
    }
    for (let index = 0; index < columns.length; index++) {
      const value = values[index] ?? null;
      // A column without a NULL form throws.
      if (value !== null || this.#nullSizes[index] === 0) this.#forms[index]?.write(out, value, this.#dialect);
    }
  }
}

/** The value of a column in the part of a row that could not be read: NULL, or zero for NOT NULL. */
const nothingIn = (column: ColumnInfo | undefined): unknown =>
  column?.nullable === false ? (column.type.fixed?.zero ?? null) : null;

const made = new WeakMap<readonly ColumnInfo[], Map<number, ResultWriter>>();

const levelOf = ({ atLeast71, atLeast72, atLeast73, atLeast74 }: Dialect): number =>
  Number(atLeast71) + Number(atLeast72) + Number(atLeast73) + Number(atLeast74);

/** The writer of a declared result set, created once: its columns, and so its COLMETADATA, never change. */
export function resultWriter(columns: readonly ColumnInfo[], dialect: Dialect): ResultWriter {
  let byLevel = made.get(columns);
  if (byLevel === undefined) {
    byLevel = new Map();
    made.set(columns, byLevel);
  }
  const level = levelOf(dialect);
  let writer = byLevel.get(level);
  if (writer === undefined) {
    writer = new ResultWriter(columns, dialect);
    byLevel.set(level, writer);
  }
  return writer;
}
