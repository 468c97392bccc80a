import type { SqlError } from '../../base/sql-error.ts';
import type { Column } from '../../procedure/sink.ts';
import type { StatementEnd, StatementSink } from '../statement-sink.ts';
import type { RowCollector } from './row-collector.ts';
import type { Rowset } from './rowset.ts';

interface Open {
  readonly columns: readonly Column[];
  readonly collector: RowCollector;
}

/** Takes the result sets of a statement, of which a cursor wants one; messages still go to the client. */
export class RowsetSink implements StatementSink {
  readonly #client: StatementSink;
  readonly #newCollector: (used: number) => RowCollector;
  readonly #sets: Open[] = [];
  /** The first error that was reported. */
  failure: SqlError | undefined;

  constructor(client: StatementSink, newCollector: (used: number) => RowCollector) {
    this.#client = client;
    this.#newCollector = newCollector;
  }

  get rowsets(): readonly Rowset[] {
    return this.#sets.map(({ columns, collector }) => collector.rowset(columns));
  }

  columns(columns: readonly Column[]): void {
    const used = this.#sets.reduce((sum, { collector }) => sum + collector.bytes, 0);
    this.#sets.push({ columns, collector: this.#newCollector(used) });
  }

  row(values: readonly unknown[]): void {
    this.#sets.at(-1)?.collector.add(values);
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
