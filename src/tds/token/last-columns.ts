import type { ByteReader } from '../byte-reader.ts';
import type { Dialect } from '../version.ts';
import { type ColumnInfo, readColMetadata } from './col-metadata.ts';
import { RowReader } from './row-reader.ts';

/** The columns of a result set, and what reads its rows. */
interface ReadColumns {
  readonly columns: readonly ColumnInfo[];
  readonly rows: RowReader;
}

/** Longer metadata is not kept. */
const longest = 4096;

/** Reads COLMETADATA; what is the same as the last time, as for a statement that is run again, is not read again. */
export class LastColumns {
  readonly #dialect: Dialect;
  #last: (ReadColumns & { readonly bytes: Buffer }) | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Reads what follows the token's first byte. */
  read(bytes: ByteReader): ReadColumns {
    if (this.#last !== undefined && bytes.accept(this.#last.bytes)) return this.#last;
    const start = bytes.position;
    const columns = readColMetadata(bytes, this.#dialect);
    const read = { columns, rows: new RowReader(columns, this.#dialect) };
    const length = bytes.position - start;
    if (length <= longest) {
      bytes.rewind(start);
      this.#last = { ...read, bytes: Buffer.from(bytes.bytes(length)) };
    }
    return read;
  }
}
