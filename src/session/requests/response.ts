import { release } from '../../base/memory/release.ts';
import { saysTerminated } from '../../base/messages/extent.ts';
import type { SqlError } from '../../base/messages/sql-error.ts';
import { formatMessage } from '../../base/messages/sql-error.ts';
import { nextTurn } from '../../base/threads/rota.ts';
import type { OutputValue } from '../../procedure/run/executed.ts';
import { Cancelled } from '../../procedure/run/fault.ts';
import type { Column, InfoMessage } from '../../procedure/run/sink.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import { featureIds } from '../../tds/message/login7.ts';
import { defaultPacketSize, type MessageWriter } from '../../tds/packet/index.ts';
import {
  type DoneKind,
  doneStatus,
  type EnvChange,
  isLarge,
  lengthOf,
  type ResultWriter,
  type ReturnValue,
  resultWriter,
  returnValueSteps,
  type SessionStateChange,
  sendSteps,
  writeColInfo,
  writeDone,
  writeEnvChange,
  writeFeatureExtAck,
  writeLoginAck,
  writeOrder,
  writeReturnStatus,
  writeReturnValue,
  writeServerMessage,
  writeSessionState,
  writeSspi,
  writeTabName,
} from '../../tds/token/index.ts';
import { collationBytes } from '../../tds/types/collation.ts';
import type { Dialect } from '../../tds/version.ts';
import type { ColumnSource, Command } from '../../tsql/statement-sink.ts';
import type { RequestChannel } from '../channel.ts';
import { versionParts } from '../login/reported-version.ts';
import type { TransactionEvent } from '../transactions/client-transaction.ts';
import { leaseWriter, returnWriter } from '../transactions/writer-pool.ts';
import { browseInfo } from './browse-info.ts';
import { commandCodes } from './commands.ts';

/** What ended: a statement of the batch, a statement in a procedure, or the procedure itself. */
type Ending = 'batch' | 'inProc' | 'proc';

/** How it ended. */
interface EndingDetail {
  readonly command: Command;
  readonly count?: number | undefined;
  readonly failed?: boolean | undefined;
  /** True if the connection ends with it, and everything before is to be discarded (DONE_SRVERROR). */
  readonly fatal?: boolean;
}

interface PendingDone {
  readonly kind: DoneKind;
  readonly status: number;
  readonly command: number;
  readonly count: number;
}

const doneKinds: Readonly<Record<Ending, DoneKind>> = { batch: 'done', inProc: 'doneInProc', proc: 'doneProc' };
const envKinds: Readonly<Record<TransactionEvent, 'begin' | 'commit' | 'rollback'>> = {
  begun: 'begin',
  committed: 'commit',
  rolledBack: 'rollback',
};
/** Milliseconds after which a response to a fast reader yields to others. */
const turnLength = 10;
const language = 'us_english';

/** The response to a request: writes tokens into packets and sends them as fast as the client reads. */
export class Response {
  readonly dialect: Dialect;
  packetSize: number = defaultPacketSize;
  /** Whether DONE says that a transaction is open. */
  inTransaction: () => boolean = () => false;
  /** Throws if the request was cancelled. */
  checkCancelled: () => void = () => {};
  readonly #channel: RequestChannel;
  readonly #spid: number;
  readonly #server: string;
  #writer: MessageWriter | undefined;
  /** A DONE token is held back until it is known whether more follows. */
  #pending: PendingDone | undefined;
  #rows: ResultWriter | undefined;
  #turnStarted = 0;

  constructor(channel: RequestChannel, dialect: Dialect, spid: number, server: string) {
    this.#channel = channel;
    this.dialect = dialect;
    this.#spid = spid;
    this.#server = server;
  }

  columns(columns: readonly Column[]): void {
    this.#rows = resultWriter(columns, this.dialect);
    this.#rows.writeMetadata(this.#open().out);
  }

  /** Says which columns, counted from 1, the open result set is sorted by. */
  order(columns: readonly number[]): void {
    writeOrder(this.#open().out, columns);
  }

  /** Says where the columns of the open result set come from. */
  sources(sources: readonly ColumnSource[]): void {
    const { tables, columns } = browseInfo(sources, this.#rows?.columns ?? []);
    const { out } = this.#open();
    if (tables.length > 0) writeTabName(out, tables, this.dialect);
    writeColInfo(out, columns);
  }

  /** Writes a row; returns a promise if the reader is slow or others have waited long enough. */
  row(values: readonly unknown[]): void | Promise<void> {
    const rows = this.#rows;
    if (!rows) throw new Error('a row came before its columns');
    const writer = this.#open();
    if (rows.isStreamed(values)) {
      return rows.streamRow(
        writer.out,
        values,
        () => this.#flush(),
        () => this.#finish(),
      );
    }
    rows.writeRow(writer.out, values);
    if (writer.isFull) return this.#flush();
  }

  /** Between two statements or calls: flushes if much is pending, and yields to others. */
  rest(): void | Promise<void> {
    if (this.#leased().isFull) return this.#flush();
    if (performance.now() - this.#turnStarted > turnLength) return this.#yield();
  }

  /** Flushes however little is pending: the client must see it before the next work starts. */
  sendNow(): void | Promise<void> {
    const packets = this.#leased().flushAll();
    if (packets && !this.#channel.write(packets)) return this.#channel.drained();
  }

  #flush(): void | Promise<void> {
    this.checkCancelled();
    return this.#send()?.then(() => this.checkCancelled());
  }

  /** Sends the rest of a row that was begun, even after a cancellation, as long as the client is there. */
  #finish(): void | Promise<void> {
    if (this.#channel.closed.aborted) throw new Cancelled();
    return this.#send();
  }

  #send(): Promise<void> | undefined {
    const packets = this.#writer?.flush();
    if (packets && !this.#channel.write(packets, () => release(packets))) return this.#channel.drained();
    return performance.now() - this.#turnStarted > turnLength ? this.#yield() : undefined;
  }

  async #yield(): Promise<void> {
    await nextTurn();
    this.#turnStarted = performance.now();
  }

  error(error: SqlError): void {
    for (const earlier of error.before) this.error(earlier);
    this.info({
      number: error.number,
      severity: error.severity,
      state: error.state,
      text: error.message,
      procedure: error.procedure,
      line: error.line,
    });
  }

  /** The error that ended a request; SQL Server follows those that stop one statement with 3621. */
  failure(error: SqlError): void {
    this.error(error);
    if (!saysTerminated(error.number, false)) return;
    const { procedure, line } = error;
    this.info({ number: 3621, severity: 0, state: 0, text: formatMessage(3621, []), procedure, line });
  }

  info({ number, severity, state, text, procedure = '', line = 1 }: InfoMessage): void {
    // SQL Server sends 0 to clients for severity 10; DB-Library takes anything above 5 for an error.
    const told = severity === 10 ? 0 : severity;
    writeServerMessage(
      this.#open().out,
      { number, severity: told, state, text, server: this.#server, procedure, line },
      this.dialect,
    );
  }

  returnStatus(status: number): void {
    writeReturnStatus(this.#open().out, status);
  }

  /** Writes an output value; returns a promise if much is pending, or for a long one, which is sent piece by piece. */
  returnValue({ argument, name, type, value }: OutputValue): void | Promise<void> {
    const writer = this.#open();
    const returned = { ordinal: argument, name, type, value };
    if (isLarge(lengthOf(value)) && this.dialect.atLeast72) return this.#sendValue(returned);
    writeReturnValue(writer.out, returned, this.dialect);
    if (writer.isFull) return this.#flush();
  }

  async #sendValue(returned: ReturnValue): Promise<void> {
    const steps = returnValueSteps(this.#open().out, returned, this.dialect);
    const failure = await sendSteps(
      steps,
      () => this.#flush(),
      () => this.#finish(),
    );
    if (failure) throw failure.thrown;
  }

  done(ending: Ending, { command, count, failed = false, fatal = false }: EndingDetail): void {
    this.#open();
    const status =
      (failed ? doneStatus.error : fatal ? doneStatus.serverError : 0) |
      (count === undefined || failed ? 0 : doneStatus.count) |
      (this.inTransaction() ? doneStatus.inTransaction : 0);
    this.#pending = {
      kind: doneKinds[ending],
      status,
      command: commandCodes[command],
      count: failed ? 0 : (count ?? 0),
    };
  }

  attentionAcknowledged(): void {
    this.#open();
    this.#pending = { kind: 'done', status: doneStatus.attention, command: 0, count: 0 };
  }

  databaseChanged(now: string, before: string, state = 1): void {
    this.#change({ kind: 'database', now, before });
    this.info({ number: 5701, severity: 0, state, text: formatMessage(5701, [now]) });
  }

  transactionChanged(event: TransactionEvent, transaction: bigint): void {
    // Clients before 7.2 do not know transaction descriptors.
    if (this.dialect.atLeast72) this.#change({ kind: envKinds[event], transaction });
  }

  resetAcknowledged(): void {
    if (this.dialect.atLeast72) this.#change({ kind: 'reset' });
  }

  /** Reports the session state, before the pending DONE. */
  sessionState(change: SessionStateChange): void {
    writeSessionState(this.#leased().out, change);
  }

  /** The server's last SSPI token, which belongs in the message with LOGINACK. */
  sspi(token: Uint8Array): void {
    writeSspi(this.#open().out, token);
  }

  /** The response to an accepted login: context, LOGINACK, packet size. */
  welcome(
    database: string,
    tdsVersion: number,
    server: ServerView,
    packetSize: number,
    features: { readonly utf8: boolean; readonly recovery: boolean },
  ): void {
    // SQL Server reports a login's context with state 2, a USE with state 1.
    this.databaseChanged(database, 'master', 2);
    this.#change({ kind: 'collation', now: collationBytes, before: Buffer.alloc(0) });
    this.#change({ kind: 'language', now: language, before: '' });
    this.info({ number: 5703, severity: 0, state: 1, text: formatMessage(5703, [language]) });
    const { out } = this.#open();
    writeLoginAck(out, { tdsVersion, program: 'Microsoft SQL Server', version: versionParts(server.version) });
    this.#change({ kind: 'packetSize', now: String(packetSize), before: String(this.packetSize) });
    // Acknowledging anything else makes drivers expect features that do not exist.
    const acknowledged = [
      ...(features.recovery ? [{ id: featureIds.sessionRecovery, data: Buffer.alloc(0) }] : []),
      ...(features.utf8 ? [{ id: featureIds.utf8, data: Buffer.of(1) }] : []),
    ];
    if (acknowledged.length > 0) writeFeatureExtAck(out, acknowledged);
    this.done('batch', { command: 'other' });
  }

  /** Ends the message, always with a DONE, and sends the rest; returns a promise if the reader is slow. */
  end(): void | Promise<void> {
    if (!this.#pending) this.done('batch', { command: 'other' });
    const writer = this.#leased();
    this.#settle(0);
    this.#rows = undefined;
    this.#writer = undefined;
    const bytes = writer.end();
    returnWriter(writer);
    if (!this.#channel.write(bytes)) return this.#channel.drained();
  }

  #change(change: EnvChange): void {
    writeEnvChange(this.#open().out, change);
  }

  /** The writer, after writing the pending DONE with the flag that more follows. */
  #open(): MessageWriter {
    const writer = this.#leased();
    this.#settle(doneStatus.more);
    return writer;
  }

  #leased(): MessageWriter {
    if (!this.#writer) {
      this.#writer = leaseWriter(this.packetSize, this.#spid);
      this.#turnStarted = performance.now();
    }
    return this.#writer;
  }

  #settle(more: number): void {
    if (!this.#pending || !this.#writer) return;
    const { kind, status, command, count } = this.#pending;
    writeDone(this.#writer.out, kind, { status: status | more, command, count }, this.dialect);
    this.#pending = undefined;
  }
}
