import type { Column } from '../../procedure/run/sink.ts';
import type { Positioned } from '../query/positioned.ts';
import type { StatementSink } from '../statement-sink.ts';
import { RowTakingSink } from '../statements/row-taking-sink.ts';
import { Keyset } from './keyset.ts';
import type { RowCollector, Rowset } from './rowset.ts';

interface Open {
  readonly columns: readonly Column[];
  readonly collector: RowCollector;
  keyset?: Keyset;
  kept: (row: readonly unknown[]) => readonly unknown[];
}

/** A result set that a cursor can be opened on. */
export interface OpenedRows {
  readonly rowset: Rowset;
  /** Present if its rows are keys, to be reread. */
  readonly keyset?: Keyset;
}

/** Receives the result sets of a statement, of which a cursor uses one. */
export class RowsetSink extends RowTakingSink {
  readonly #newCollector: (used: number) => RowCollector;
  readonly #sets: Open[] = [];
  /** Present for a cursor that rereads its rows: a query that can be positioned then yields keys. */
  readonly positioned?: (positioned: Positioned) => void;

  constructor(client: StatementSink, newCollector: (used: number) => RowCollector, isPositioned: boolean) {
    super(client);
    this.#newCollector = newCollector;
    if (isPositioned) this.positioned = (positioned) => this.#keys(positioned);
  }

  get opened(): readonly OpenedRows[] {
    return this.#sets.map(({ columns, collector, keyset }) => ({
      rowset: collector.rowset(columns),
      ...(keyset === undefined ? {} : { keyset }),
    }));
  }

  override columns(columns: readonly Column[]): void {
    const used = this.#sets.reduce((sum, { collector }) => sum + collector.bytes, 0);
    this.#sets.push({ columns, collector: this.#newCollector(used), kept: (row) => row });
  }

  #keys(positioned: Positioned): void {
    const set = this.#sets.at(-1);
    if (set === undefined) throw new Error('what leads to rows came before their columns');
    set.keyset = new Keyset(positioned);
    set.kept = set.keyset.keys();
  }

  override row(values: readonly unknown[]): void {
    const set = this.#sets.at(-1);
    set?.collector.add(set.kept(values));
  }
}
