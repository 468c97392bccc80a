import type { SqlError } from '../../base/messages/sql-error.ts';
import type { Column, InfoMessage } from '../../procedure/run/sink.ts';
import type { StatementEnd, StatementSink } from '../statement-sink.ts';

type Take = (row: readonly unknown[], columns: readonly Column[]) => Promise<void> | undefined;

/** Receives the rows of statements in place of the client, if any, which still gets their messages. */
export class RowTakingSink implements StatementSink {
  readonly #client: StatementSink | undefined;
  readonly #take: Take | undefined;
  #columns: readonly Column[] = [];
  /** The first error that was reported. */
  failure: SqlError | undefined;

  constructor(client?: StatementSink, take?: Take) {
    this.#client = client;
    this.#take = take;
  }

  columns(columns: readonly Column[]): void {
    this.#columns = columns;
  }

  row(values: readonly unknown[]): void | Promise<void> {
    return this.#take?.(values, this.#columns);
  }

  endRows(_count: number): void {}

  info(message: InfoMessage): void {
    this.#client?.info(message);
  }

  rest(): void | Promise<void> {
    return this.#client?.rest?.();
  }

  sendNow(): void | Promise<void> {
    return this.#client?.sendNow?.();
  }

  done(_end: StatementEnd): void {}

  error(error: SqlError): void {
    this.failure ??= error;
  }

  enter(_procedure: string): void {}

  leave(_status: number | undefined): void {}
}
