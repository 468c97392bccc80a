import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { SlidingReader } from '../sliding-reader.ts';
import { malformed } from '../stream-error.ts';
import { type ColumnInfo, readColMetadata, writeColMetadata } from '../token/col-metadata.ts';
import { writeDone } from '../token/done.ts';
import { ResultWriter } from '../token/result-writer.ts';
import { RowReader } from '../token/row-reader.ts';
import { tokenTypes } from '../token/token-type.ts';
import { collated, isCollatable } from '../types/collated.ts';
import { collationNamed } from '../types/collation-name.ts';
import { type RawRows, RowScanner } from '../types/raw-rows.ts';
import type { AnyType } from '../types/sql-type.ts';
import type { Dialect } from '../version.ts';

/** A column as declared in INSERT BULK. */
interface DeclaredColumn {
  readonly type: AnyType;
  readonly collation?: string;
}

type Piece = { readonly columns: readonly ColumnInfo[] } | { readonly row: unknown[] } | 'done';

/**
 * Reads a bulk load (MS-TDS 2.2.6.1): COLMETADATA, rows, and a DONE that some clients leave out. `push` payloads as
 * they arrive, call `end` after the last, and take rows with `next`; `columns` is set before the first row. The bytes
 * of a row are valid until the next payload is pushed.
 */
export class BulkLoadParser {
  readonly #bytes: SlidingReader;
  readonly #dialect: Dialect;
  readonly #declared: readonly DeclaredColumn[];
  #rows: RowReader | undefined;
  #scanner: RowScanner | undefined;
  #done = false;
  /** The columns of COLMETADATA; empty until it has been read. */
  columns: readonly ColumnInfo[] = [];

  /**
   * `declared` is what the INSERT BULK statement declared, whose collations and lengths take precedence over those of
   * COLMETADATA. `rowLimit` is the maximum size of a row in bytes.
   */
  constructor(dialect: Dialect, declared: readonly DeclaredColumn[] = [], rowLimit = Number.POSITIVE_INFINITY) {
    this.#bytes = new SlidingReader(rowLimit);
    this.#dialect = dialect;
    this.#declared = declared;
  }

  /** The memory that it uses. */
  get capacity(): number {
    return this.#bytes.capacity;
  }

  push(payload: Uint8Array): void {
    this.#bytes.push(payload);
  }

  /** Ends the message; an incomplete row is then error 4002. */
  end(): void {
    this.#bytes.end();
  }

  /**
   * The next rows as raw bytes, valid until the next payload is pushed; undefined if `next` has to read what follows.
   */
  nextRaw(): RawRows | undefined {
    const scanner = this.#scanner;
    if (scanner === undefined || this.#done) return undefined;
    let found: RawRows | undefined;
    this.#bytes.scan((buffer, start, end) => {
      const { rows, next } = scanner.scan(buffer, start, end, tokenTypes.row);
      found = rows.length === 0 ? undefined : rows;
      return next;
    });
    return found;
  }

  /** The next row; undefined if it is incomplete or there is none. Throws 4815 or 4816 for a bad column. */
  next(): unknown[] | undefined {
    while (!this.#done) {
      const piece = this.#nextPiece();
      if (piece === undefined) return undefined;
      if (piece === 'done') this.#done = true;
      else if ('row' in piece) return piece.row;
      else this.columns = piece.columns;
    }
    return undefined;
  }

  #nextPiece(): Piece | undefined {
    try {
      return this.#bytes.read(this.#read);
    } catch (error) {
      const column = this.#bytes.subject.ordinal;
      if (!(error instanceof SqlError) || column === 0 || error.number === 4002) throw error;
      throw error.number === 8009 ? sqlError(4816, column) : sqlError(4815, column);
    }
  }

  readonly #read = (bytes: ByteReader): Piece => {
    const type = bytes.u8();
    if (type === tokenTypes.done) return 'done';
    if (type === tokenTypes.colMetadata) {
      // The reader of the rows has the columns by now, and would take values of one type for those of another.
      if (this.#rows !== undefined) throw malformed('A bulk load must not repeat its columns.');
      const columns = readColMetadata(bytes, this.#dialect, 'bulk load').map(
        (column, at): ColumnInfo => ({ ...column, type: asDeclared(column.type, this.#declared[at]) }),
      );
      if (columns.length === 0) throw malformed('A bulk load has no columns.');
      this.#rows = new RowReader(columns, this.#dialect);
      this.#scanner = RowScanner.of(columns.map(({ type }) => type));
      return { columns };
    }
    if (this.#rows === undefined) throw malformed('A bulk load must begin with its columns.');
    if (type === tokenTypes.row) return { row: this.#rows.readRow(bytes) };
    throw malformed(`Token 0x${type.toString(16).padStart(2, '0')} has no place in a bulk load.`);
  };
}

function asDeclared(type: AnyType, declared: DeclaredColumn | undefined): AnyType {
  if (declared === undefined) return type;
  // Microsoft's JDBC driver writes 0 in COLMETADATA for text whose length it does not know, and the true length in the
  // statement.
  const { maxLength } = declared.type;
  const isLonger = declared.type.name === type.name && type.maxLength >= 0 && maxLength > type.maxLength;
  const longest = isLonger && type.collation !== undefined ? collated(declared.type, type.collation) : declared.type;
  return collatedAs(isLonger ? longest : type, declared.collation);
}

/** A type with the named collation; unchanged if it has none, or the name is unknown. */
function collatedAs(type: AnyType, name: string | undefined): AnyType {
  const collation = name === undefined || !isCollatable(type) ? undefined : collationNamed(name);
  return collation === undefined ? type : collated(type, collation);
}

/** Writes a bulk load of rows in memory, for clients and tests. */
export function writeBulkLoad(
  out: ByteWriter,
  columns: readonly ColumnInfo[],
  rows: Iterable<readonly unknown[]>,
  dialect: Dialect,
): void {
  for (const _ of writtenBulkLoad(out, columns, rows, dialect));
}

/** Writes a bulk load and yields after every row, for callers that send the rows in the meantime. */
function* writtenBulkLoad(
  out: ByteWriter,
  columns: readonly ColumnInfo[],
  rows: Iterable<readonly unknown[]>,
  dialect: Dialect,
): Generator<void, void> {
  // NBCROW is not allowed in a bulk load (MS-TDS 2.2.7.15).
  const writer = new ResultWriter(columns, dialect, false);
  writeColMetadata(out, columns, dialect, 'bulk load');
  for (const row of rows) {
    writer.writeRow(out, row);
    yield;
  }
  writeDone(out, 'done', {}, dialect);
}
