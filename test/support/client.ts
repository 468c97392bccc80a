import { Connection, type ConnectionConfiguration, Request, TYPES } from 'tedious';
import type { AnyProcedure, CallInput, Outcomes, Params, Procedure } from '../../src/procedure/declare.ts';
import { isOutput, type Param } from '../../src/procedure/param.ts';
import type { AnyType } from '../../src/tds/types/sql-type.ts';

type TediousType = (typeof TYPES)[keyof typeof TYPES];
/** A row as tedious hands it over, by column name. */
export type ResultRow = Record<string, unknown>;

/** A parameter of `rpc`, with tedious' own type. */
export interface RpcParameter {
  readonly name: string;
  readonly type: TediousType;
  readonly value: unknown;
  readonly output?: boolean;
}

/** What came back of one call or batch. */
export interface Answer {
  /** The return status, or undefined for a batch without one. */
  readonly status: number | undefined;
  readonly output: Record<string, unknown>;
  /** The rows of each result set, in order. */
  readonly sets: ResultRow[][];
  /** The column names of each result set, in order. */
  readonly columns: string[][];
  /** The texts of INFO tokens. */
  readonly messages: { readonly number: number; readonly message: string }[];
  readonly rowCount: number;
}

/** A failure as a client sees it, with SQL Server's number. */
export interface ClientError extends Error {
  readonly number: number;
  readonly class?: number;
  readonly state?: number;
  readonly procName?: string;
  readonly lineNumber?: number;
}

/** A logged-in tedious connection with promises. */
export class TestClient implements AsyncDisposable {
  readonly connection: Connection;

  private constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Connects and logs in; rejects with the login's error. */
  static open(config: ConnectionConfiguration): Promise<TestClient> {
    const connection = new Connection(config);
    connection.on('error', () => {}); // a lost connection also fails the request that runs; nobody else listens
    return new Promise((resolve, reject) => {
      connection.connect((error) => (error ? reject(error) : resolve(new TestClient(connection))));
    });
  }

  /** Calls a declared procedure by RPC, with parameters typed by the declaration. */
  call<P extends Params, O extends Outcomes>(procedure: Procedure<P, O>, input: CallInput<P>): Promise<Answer> {
    return this.callLoosely(procedure, input);
  }

  /** As `call`, for input that the declaration would not let through: tests of refusals. */
  callLoosely(procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): Promise<Answer> {
    const params: Readonly<Record<string, Param>> = procedure.params;
    const sent = Object.entries(params).flatMap(([name, param]): RpcParameter[] => {
      if (!(name in input) && !isOutput(param)) return [];
      return [
        { name, type: tediousType(param.type), value: wireValue(param.type, input[name]), output: isOutput(param) },
      ];
    });
    return this.rpc(procedure.name, sent);
  }

  /** Calls a procedure by name, with exactly these parameters. */
  rpc(name: string, parameters: readonly RpcParameter[] = []): Promise<Answer> {
    return this.#run(name, parameters, (request) => this.connection.callProcedure(request));
  }

  /** Runs a T-SQL batch. */
  batch(text: string): Promise<Answer> {
    return this.#run(text, [], (request) => this.connection.execSqlBatch(request));
  }

  /** Runs T-SQL with parameters, through sp_executesql. */
  query(text: string, parameters: readonly RpcParameter[] = []): Promise<Answer> {
    return this.#run(text, parameters, (request) => this.connection.execSql(request));
  }

  #run(text: string, parameters: readonly RpcParameter[], send: (request: Request) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer = {
        status: undefined as number | undefined,
        output: {} as Record<string, unknown>,
        sets: [] as ResultRow[][],
        columns: [] as string[][],
        messages: [] as Answer['messages'][number][],
      };
      const onInfo = (info: { number: number; message: string }) =>
        answer.messages.push({ number: info.number, message: info.message });
      this.connection.on('infoMessage', onInfo);
      const request = new Request(text, (error, rowCount) => {
        this.connection.off('infoMessage', onInfo);
        if (error) reject(error);
        else resolve({ ...answer, rowCount: rowCount ?? 0 });
      });
      for (const { name, type, value, output } of parameters) {
        if (output) request.addOutputParameter(name, type, value);
        else request.addParameter(name, type, value);
      }
      request.on('columnMetadata', (columns) => {
        answer.sets.push([]);
        answer.columns.push((columns as { colName: string }[]).map((column) => column.colName));
      });
      request.on('row', (cells) => {
        answer.sets
          .at(-1)
          ?.push(
            Object.fromEntries(
              (cells as { metadata: { colName: string }; value: unknown }[]).map((cell) => [
                cell.metadata.colName,
                cell.value,
              ]),
            ),
          );
      });
      request.on('returnValue', (name, value) => {
        answer.output[name] = value;
      });
      request.on('doneProc', (_count, _more, status) => {
        answer.status = status;
      });
      send(request);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.connection.closed) return resolve();
      this.connection.once('end', () => resolve());
      this.connection.close();
    });
  }
}

const byName: Partial<Record<AnyType['name'], TediousType>> = {
  bigint: TYPES.BigInt,
  int: TYPES.Int,
  smallint: TYPES.SmallInt,
  tinyint: TYPES.TinyInt,
  bit: TYPES.Bit,
  float: TYPES.Float,
  real: TYPES.Real,
  datetime: TYPES.DateTime,
  smalldatetime: TYPES.SmallDateTime,
  date: TYPES.Date,
  uniqueidentifier: TYPES.UniqueIdentifier,
  nvarchar: TYPES.NVarChar,
  nchar: TYPES.NChar,
  varchar: TYPES.VarChar,
  char: TYPES.Char,
  ntext: TYPES.NText,
  text: TYPES.Text,
  xml: TYPES.NVarChar,
  varbinary: TYPES.VarBinary,
  binary: TYPES.VarBinary,
  image: TYPES.Image,
  timestamp: TYPES.VarBinary,
  sql_variant: TYPES.NVarChar,
};

function tediousType(type: AnyType): TediousType {
  const found = byName[type.name];
  if (!found) throw new Error(`no tedious type for ${type.declaration}`);
  return found;
}

/** The value as tedious wants it: Buffers for bytes, eight of them for a rowversion, text for a wide bigint. */
function wireValue(type: AnyType, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (type.name === 'timestamp' && typeof value === 'bigint') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(value);
    return bytes;
  }
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (typeof value === 'bigint') return value;
  if (type.name === 'sql_variant' && typeof value === 'object' && 'value' in value)
    return (value as { value: unknown }).value;
  return value;
}
