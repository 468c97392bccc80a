import type { Column } from '../../procedure/run/sink.ts';
import type { CursorType } from '../../syntax/ast/statement.ts';
import { int } from '../../tds/types/index.ts';
import type { ColumnSource, StatementSink } from '../statement-sink.ts';
import type { ApiCursorType, ApiOptions } from './api-options.ts';
import { Cursor } from './cursor.ts';
import type { Fetched } from './fetch.ts';
import type { OpenedRows } from './rowset-sink.ts';

/** The column that SQL Server adds to the rows of an API cursor. */
const rowStatus: Column = { name: 'ROWSTAT', type: int, nullable: false };
/** Its values for a row that was fetched, and for one that no longer exists. */
const status = { fetched: 1, missing: 2 };

const types: Readonly<Record<ApiCursorType, CursorType>> = {
  static: 'static',
  keyset: 'keyset',
  dynamic: 'dynamic',
  forwardOnly: 'dynamic',
  fastForward: 'fast forward',
};
const scrolling: readonly ApiCursorType[] = ['static', 'keyset', 'dynamic'];

/** The origin of the columns of a copy: a client may ask for the table's name, though it cannot change its rows. */
function sourcesOf(columns: readonly Column[]): ColumnSource[] {
  const names: string[] = [];
  return columns.map(({ table: name }) => {
    if (name === undefined) return {};
    const key = name.join('.');
    if (!names.includes(key)) names.push(key);
    return { table: { place: names.indexOf(key), name } };
  });
}

/** A cursor that a driver opened with sp_cursoropen or a similar procedure. */
export class ApiCursor extends Cursor {
  readonly options: ApiOptions;
  /** What a client gets: the columns of the query and ROWSTAT, the same object each time. */
  readonly columns: readonly Column[];
  /** Where those columns come from; ROWSTAT is one that no user asked for. */
  readonly sources: readonly ColumnSource[];
  /** Set by sp_cursoroption. */
  name = '';

  constructor(options: ApiOptions, { rowset, keyset }: OpenedRows) {
    super({
      scroll: scrolling.includes(options.type),
      type: types[options.type],
      isReadOnly: options.concurrency === 'readOnly',
      locks: options.concurrency === 'scrollLocks',
    });
    this.options = options;
    this.columns = [...rowset.columns, rowStatus];
    const own = keyset?.positioned.sources ?? sourcesOf(rowset.columns);
    this.sources = [...own, { isHidden: true }];
    this.open(rowset, keyset);
  }

  /** Sends rows with their ROWSTAT. */
  async send(rows: readonly Fetched[], sink: StatementSink): Promise<void> {
    sink.columns(this.columns);
    sink.sources?.(this.sources);
    for (const row of rows) await sink.row(this.#sent(row));
    sink.endRows(rows.length);
  }

  #sent(row: Fetched): readonly unknown[] {
    if (row !== undefined) return [...row, status.fetched];
    const nothing = this.columns
      .slice(0, -1)
      .map(({ type, nullable }) => (nullable ? null : (type.fixed?.zero ?? null)));
    return [...nothing, status.missing];
  }
}
