import type { SqlError } from '../../base/messages/sql-error.ts';
import type { Column, InfoMessage } from '../../procedure/run/sink.ts';
import { withinSize } from '../../tds/types/index.ts';
import type { SessionOptions } from '../../tsql/options.ts';
import type { ColumnSource, Command, StatementEnd, StatementSink } from '../../tsql/statement-sink.ts';
import type { Response } from './response.ts';

/** The TEXTSIZE that truncates nothing. */
const unlimited = 2_147_483_647;

/** SET TEXTSIZE: large types are described as, and truncated to, this many bytes. */
const columnsWithin = (columns: readonly Column[], size: number): readonly Column[] =>
  columns.map((column) => ({ ...column, type: withinSize(column.type, size) }));

/**
 * Writes the results of statements as tokens. A statement of a batch ends with DONE; a statement of a procedure,
 * whether called by RPC or by EXECUTE, ends with DONEINPROC, and the procedure itself with RETURNSTATUS and DONEPROC.
 */
export class WireSink implements StatementSink {
  readonly #response: Response;
  readonly #options: SessionOptions;
  readonly #rpc: boolean;
  #depth = 0;
  #failedInProcedure = false;

  constructor(response: Response, options: SessionOptions, rpc: boolean) {
    this.#response = response;
    this.#options = options;
    this.#rpc = rpc;
  }

  columns(columns: readonly Column[]): void {
    this.#response.columns(
      this.#options.textSize === unlimited ? columns : columnsWithin(columns, this.#options.textSize),
    );
  }

  order(columns: readonly number[]): void {
    this.#response.order(columns);
  }

  sources(columns: readonly ColumnSource[]): void {
    this.#response.sources(columns);
  }

  row(values: readonly unknown[]): void | Promise<void> {
    return this.#response.row(values);
  }

  endRows(count: number, silent = false): void {
    this.#end('select', silent || this.#options.noCount ? undefined : count, false);
  }

  info(message: InfoMessage): void {
    this.#response.info(message);
  }

  done({ command, count, failed = false }: StatementEnd): void {
    // Under NOCOUNT, statements of a procedure that return no rows send nothing at all.
    if (this.#options.noCount && this.#inProcedure && !failed) return;
    this.#end(command, this.#options.noCount ? undefined : count, failed);
  }

  error(error: SqlError): void {
    this.#failedInProcedure = true;
    this.#response.error(error);
  }

  rest(): void | Promise<void> {
    return this.#response.rest();
  }

  sendNow(): void | Promise<void> {
    return this.#response.sendNow();
  }

  enter(): void {
    if (this.#depth === 0) this.#failedInProcedure = false;
    this.#depth++;
  }

  leave(status: number | undefined, failed = false): void {
    this.#depth--;
    if (this.#inProcedure) return;
    if (status !== undefined) this.#response.returnStatus(status);
    // An error handled by CATCH was never sent: DONE_ERROR would announce an error that the client cannot find.
    this.#response.done('proc', { command: 'execute', failed: failed && this.#failedInProcedure });
  }

  get #inProcedure(): boolean {
    return this.#rpc || this.#depth > 0;
  }

  #end(command: Command, count: number | undefined, failed: boolean): void {
    this.#response.done(this.#inProcedure ? 'inProc' : 'batch', { command, failed, count });
  }
}
