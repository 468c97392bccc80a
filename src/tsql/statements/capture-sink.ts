import type { Column } from '../../procedure/sink.ts';
import type { StatementSink } from '../statement-sink.ts';
import { RowTakingSink } from './row-taking-sink.ts';

/** Takes the rows of a procedure for INSERT … EXEC. */
export class CaptureSink extends RowTakingSink {
  readonly #take: (row: readonly unknown[], columns: readonly Column[]) => void;
  #columns: readonly Column[] = [];

  constructor(client: StatementSink, take: (row: readonly unknown[], columns: readonly Column[]) => void) {
    super(client);
    this.#take = take;
  }

  override columns(columns: readonly Column[]): void {
    this.#columns = columns;
  }

  override row(values: readonly unknown[]): void {
    this.#take(values, this.#columns);
  }
}
