import { type SqlError, sqlError } from '../../base/sql-error.ts';
import type { Column } from '../../procedure/sink.ts';
import type { StatementEnd, StatementSink } from '../statement-sink.ts';
import type { RowCollector } from './row-collector.ts';
import type { Rowset } from './rowset.ts';

/** Takes the one result set of a statement for a cursor; messages still go to the client. */
export class RowsetSink implements StatementSink {
  readonly #client: StatementSink;
  readonly #collector: RowCollector;
  #columns: readonly Column[] | undefined;
  /** The first error that was reported. */
  failure: SqlError | undefined;

  constructor(client: StatementSink, collector: RowCollector) {
    this.#client = client;
    this.#collector = collector;
  }

  /** The rows; undefined when there was no result set. */
  get rowset(): Rowset | undefined {
    return this.#columns && this.#collector.rowset(this.#columns);
  }

  columns(columns: readonly Column[]): void {
    if (this.#columns !== undefined) throw sqlError(16938);
    this.#columns = columns;
  }

  row(values: readonly unknown[]): void {
    this.#collector.add(values);
  }

  endRows(_count: number): void {}

  info(message: Parameters<StatementSink['info']>[0]): void {
    this.#client.info(message);
  }

  done(_end: StatementEnd): void {}

  error(error: SqlError): void {
    this.failure ??= error;
  }

  enter(_procedure: string): void {}

  leave(_status: number | undefined): void {}
}
