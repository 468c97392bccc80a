import type { SqlError } from '../base/sql-error.ts';
import type { Column, InfoMessage } from '../procedure/sink.ts';
import { withinSize } from '../tds/types/index.ts';
import type { SessionOptions } from '../tsql/options.ts';
import type { ColumnSource, Command, StatementEnd, StatementSink } from '../tsql/statement-sink.ts';
import type { Response } from './response.ts';

/** The TEXTSIZE that cuts nothing. */
const unlimited = 2_147_483_647;

/** SET TEXTSIZE: of the large types a client is told, and gets, so many bytes. */
const columnsWithin = (columns: readonly Column[], size: number): readonly Column[] =>
  columns.map((column) => ({ ...column, type: withinSize(column.type, size) }));

/**
 * Writes what statements report as tokens. In a batch a statement ends in DONE; within a procedure, be it called by RPC
 * or by an EXECUTE of the batch, it ends in DONEINPROC, and the procedure itself in RETURNSTATUS and DONEPROC.
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
    // Under NOCOUNT a procedure's statements without rows say nothing at all.
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
    // An error that CATCH took was never sent: DONE_ERROR would announce one that no client finds.
    this.#response.done('proc', { command: 'execute', failed: failed && this.#failedInProcedure });
  }

  get #inProcedure(): boolean {
    return this.#rpc || this.#depth > 0;
  }

  #end(command: Command, count: number | undefined, failed: boolean): void {
    this.#response.done(this.#inProcedure ? 'inProc' : 'batch', { command, failed, count });
  }
}
