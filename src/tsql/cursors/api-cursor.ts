import type { Column } from '../../procedure/sink.ts';
import { int } from '../../tds/types/index.ts';
import type { ApiOptions } from './api-options.ts';
import { Cursor } from './cursor.ts';
import type { Rowset } from './rowset.ts';

/** The column that SQL Server adds to what a cursor of the API sends: 1 for a row that was fetched. */
const rowStatus: Column = { name: 'ROWSTAT', type: int, nullable: false };
const fetched = 1;

/** A cursor that a driver opened with sp_cursoropen or its kin. */
export class ApiCursor extends Cursor {
  readonly options: ApiOptions;
  /** What a client gets: the columns of the query and ROWSTAT, the same object each time. */
  readonly columns: readonly Column[];
  /** Set by sp_cursoroption. */
  name = '';

  constructor(options: ApiOptions, rowset: Rowset) {
    super({ scroll: options.type === 'static', isStatic: options.type === 'static' }, rowset);
    this.options = options;
    this.columns = withRowStatus(rowset.columns);
  }
}

export const withRowStatus = (columns: readonly Column[]): readonly Column[] => [...columns, rowStatus];

/** A row as the client gets it. */
export const withStatus = (row: readonly unknown[]): readonly unknown[] => [...row, fetched];
