import type { ByteReader } from '../byte-reader.ts';
import { ChunkedReader } from '../chunked-reader.ts';
import type { Feature } from '../message/login7.ts';
import { malformed } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import { type ColumnStatus, readColInfo } from './col-info.ts';
import type { ColumnInfo } from './col-metadata.ts';
import { type Done, type DoneKind, readDone } from './done.ts';
import { type EnvChange, readEnvChange } from './env-change.ts';
import { LastColumns } from './last-columns.ts';
import { type LoginAck, readFeatureExtAck, readLoginAck } from './login-ack.ts';
import { readOrder } from './order.ts';
import { type ReturnValue, readReturnValue } from './return-value.ts';
import type { RowReader } from './row-reader.ts';
import { readServerMessage, type ServerMessage } from './server-message.ts';
import { readSessionState } from './session-state.ts';
import { readSspi } from './sspi.ts';
import { readTabName, type TableName } from './tab-name.ts';
import { tokenTypes } from './token-type.ts';

/** A token of a server's response. */
export type Token =
  | { readonly token: 'columns'; readonly columns: readonly ColumnInfo[] }
  | { readonly token: 'row'; readonly values: readonly unknown[] }
  | ({ readonly token: DoneKind } & Done)
  | { readonly token: 'returnStatus'; readonly status: number }
  | ({ readonly token: 'returnValue' } & ReturnValue)
  | ({ readonly token: 'error' | 'info' } & ServerMessage)
  | { readonly token: 'envChange'; readonly change: EnvChange | undefined }
  | ({ readonly token: 'loginAck' } & LoginAck)
  | { readonly token: 'features'; readonly features: readonly Feature[] }
  | { readonly token: 'sessionState'; readonly sequence: number; readonly recoverable: boolean }
  | { readonly token: 'sspi'; readonly data: Uint8Array }
  | { readonly token: 'order'; readonly columns: readonly number[] }
  | { readonly token: 'tableNames'; readonly tables: readonly TableName[] }
  | { readonly token: 'columnStatus'; readonly columns: readonly ColumnStatus[] };

/**
 * Parses a response token by token from chunks of any size: `push` payloads, `end` after the last, take with `next`.
 */
export class TokenParser {
  readonly #bytes = new ChunkedReader();
  readonly #dialect: Dialect;
  readonly #columns: LastColumns;
  #rows: RowReader | undefined;

  /** `columns` caches those that the same server sent last. */
  constructor(dialect: Dialect, columns: LastColumns = new LastColumns(dialect)) {
    this.#dialect = dialect;
    this.#columns = columns;
  }

  push(payload: Buffer): void {
    this.#bytes.push(payload);
  }

  /** Ends the message; an incomplete token is then error 4002. */
  end(): void {
    this.#bytes.end();
  }

  /** The next token; undefined if it is incomplete or there is none. */
  next(): Token | undefined {
    return this.#bytes.read(this.#read);
  }

  readonly #read = (bytes: ByteReader): Token => {
    const dialect = this.#dialect;
    const type = bytes.u8();
    switch (type) {
      case tokenTypes.row:
        return { token: 'row', values: this.#described().readRow(bytes) };
      case tokenTypes.nbcRow:
        return { token: 'row', values: this.#described().readCompressedRow(bytes) };
      case tokenTypes.colMetadata:
        return this.#readColumns(bytes);
      case tokenTypes.done:
        return { token: 'done', ...readDone(bytes, dialect) };
      case tokenTypes.doneProc:
        return { token: 'doneProc', ...readDone(bytes, dialect) };
      case tokenTypes.doneInProc:
        return { token: 'doneInProc', ...readDone(bytes, dialect) };
      case tokenTypes.returnStatus:
        return { token: 'returnStatus', status: bytes.i32() };
      case tokenTypes.returnValue:
        return { token: 'returnValue', ...readReturnValue(bytes, dialect) };
      case tokenTypes.error:
        return { token: 'error', ...readServerMessage(bytes, dialect) };
      case tokenTypes.info:
        return { token: 'info', ...readServerMessage(bytes, dialect) };
      default:
        return this.#readRare(type, bytes);
    }
  };

  #described(): RowReader {
    if (this.#rows === undefined) throw malformed('A row comes before its columns.');
    return this.#rows;
  }

  #readColumns(bytes: ByteReader): Token {
    const { columns, rows } = this.#columns.read(bytes);
    this.#rows = rows;
    return { token: 'columns', columns };
  }

  #readRare(type: number, bytes: ByteReader): Token {
    switch (type) {
      case tokenTypes.envChange:
        return { token: 'envChange', change: readEnvChange(bytes) };
      case tokenTypes.loginAck:
        return { token: 'loginAck', ...readLoginAck(bytes) };
      case tokenTypes.featureExtAck:
        return { token: 'features', features: readFeatureExtAck(bytes) };
      case tokenTypes.sessionState:
        return { token: 'sessionState', ...readSessionState(bytes) };
      case tokenTypes.sspi:
        return { token: 'sspi', data: readSspi(bytes) };
      case tokenTypes.order:
        return { token: 'order', columns: readOrder(bytes) };
      case tokenTypes.tabName:
        return { token: 'tableNames', tables: readTabName(bytes, this.#dialect) };
      case tokenTypes.colInfo:
        return { token: 'columnStatus', columns: readColInfo(bytes) };
      default:
        throw malformed(`Token 0x${type.toString(16).padStart(2, '0')} is unknown.`);
    }
  }
}
