import type { Column } from '../../procedure/sink.ts';
import type { StatementSink } from '../statement-sink.ts';
import { RowTakingSink } from './row-taking-sink.ts';

type Take = (row: readonly unknown[], columns: readonly Column[]) => Promise<void> | undefined;

/** Takes the rows of a procedure for INSERT … EXEC. */
export class CaptureSink extends RowTakingSink {
  readonly #take: Take;
  #columns: readonly Column[] = [];

  constructor(client: StatementSink, take: Take) {
    super(client);
    this.#take = take;
  }

  override columns(columns: readonly Column[]): void {
    this.#columns = columns;
  }

  override row(values: readonly unknown[]): Promise<void> | undefined {
    return this.#take(values, this.#columns);
  }
}
