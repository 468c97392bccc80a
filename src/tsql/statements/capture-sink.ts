import type { SqlError } from '../../base/sql-error.ts';
import type { Column } from '../../procedure/sink.ts';
import type { StatementEnd, StatementSink } from '../statement-sink.ts';

/** Takes the rows of a procedure for INSERT … EXEC; messages and errors still go to the client. */
export class CaptureSink implements StatementSink {
  readonly #client: StatementSink;
  readonly #take: (row: readonly unknown[], columns: readonly Column[]) => void;
  #columns: readonly Column[] = [];
  /** The first error that the procedure reported. */
  failure: SqlError | undefined;

  constructor(client: StatementSink, take: (row: readonly unknown[], columns: readonly Column[]) => void) {
    this.#client = client;
    this.#take = take;
  }

  columns(columns: readonly Column[]): void {
    this.#columns = columns;
  }

  row(values: readonly unknown[]): void {
    this.#take(values, this.#columns);
  }

  endRows(_count: number): void {}

  info(message: Parameters<StatementSink['info']>[0]): void {
    this.#client.info(message);
  }

  rest(): void | Promise<void> {
    return this.#client.rest?.();
  }

  sendNow(): void | Promise<void> {
    return this.#client.sendNow?.();
  }

  done(_end: StatementEnd): void {}

  error(error: SqlError): void {
    this.failure ??= error;
  }

  enter(_procedure: string): void {}

  leave(_status: number | undefined): void {}
}
