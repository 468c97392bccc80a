import type { ByteReader } from '../byte-reader.ts';
import type { Dialect } from '../version.ts';
import { type ColumnInfo, readColMetadata } from './col-metadata.ts';
import { RowReader } from './row-reader.ts';

/** The columns of a result set, with the reader of its rows. */
interface ReadColumns {
  readonly columns: readonly ColumnInfo[];
  readonly rows: RowReader;
}

/** The maximum length of cached metadata. */
const longest = 4096;

/** Reads COLMETADATA and caches the last one: a statement that is run again has the same. */
export class LastColumns {
  readonly #dialect: Dialect;
  #last: (ReadColumns & { readonly bytes: Buffer }) | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Reads the token after its first byte. */
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
