import pg, { type Connection, type FieldDef } from 'pg';
import type { StoredValue } from '../../../base/stored.ts';
import type { Parameter } from '../../compile.ts';
import { TransactionGone } from '../errors.ts';
import { type Run, runMessages } from './messages.ts';
import { columnText } from './parameter-text.ts';
import { parsers } from './types.ts';

/** The result of a statement. */
export interface Answer {
  /** Its columns; usually the same array each time the statement runs. */
  readonly columns: readonly string[];
  readonly rows: StoredValue[][];
  /** The number of rows returned or changed. */
  readonly count: number;
  /** The server's command tag: `UPDATE 1`, `COMMIT`. */
  readonly done: string;
}

/** A statement to be sent. */
interface Asked {
  readonly text: string;
  /** The name under which it is prepared, if it is worth preparing. */
  readonly name: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly wide: boolean;
}

type Parser = (text: string) => StoredValue;
interface Columns {
  readonly names: readonly string[];
  readonly plain: readonly Parser[];
  readonly wide: readonly Parser[];
}

const noColumns: Columns = { names: [], plain: [], wide: [] };

/** What the driver has besides its published types: the statements that are prepared or being prepared. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
}

/** The columns of the statements that a connection has prepared. */
const known = new WeakMap<Connection, Map<string, Columns>>();

/** Total length of their texts in characters. */
const prepared = new WeakMap<Connection, number>();

/** How many statements a connection has prepared, and the total length of their texts. */
export const preparedOn = (connection: Connection) => ({
  statements: known.get(connection)?.size ?? 0,
  text: prepared.get(connection) ?? 0,
});

/**
 * Statements that are sent to PostgreSQL together: one message out and one back, instead of a round trip, a write and a
 * wake-up for each. The driver sees them as a single query. Statements after one that fails are not run.
 */
export class Batch extends pg.Query {
  /** The driver identifies the statement that is being prepared by these. */
  declare name: string | undefined;
  declare text: string;
  readonly #asked: (Asked & PromiseWithResolvers<Answer> & { readonly values: (string | Buffer | null)[] })[] = [];
  /** The statement whose answer is being read. */
  #at = 0;
  #columns: Columns | undefined;
  #rows: StoredValue[][] = [];
  #known: Map<string, Columns> = new Map();
  readonly #alike = new Map<string, (Pick<Asked, 'wide' | 'parameters'> & { readonly answer: Promise<Answer> })[]>();
  #failed: number | undefined;
  #ready: PromiseWithResolvers<void> | undefined;

  constructor() {
    // A text: the driver copies objects.
    super('');
  }

  /** Adds a statement; resolves to its result. */
  ask(statement: Asked): Promise<Answer> {
    const asked = { ...statement, values: statement.parameters.map(toWire), ...Promise.withResolvers<Answer>() };
    this.#asked.push(asked);
    return asked.promise;
  }

  /** The same for a statement that only reads: identical statements share one result, which must not be modified. */
  askAlike(statement: Asked): Promise<Answer> {
    const { name = '', wide, parameters } = statement;
    const others = this.#alike.get(name) ?? [];
    this.#alike.set(name, others);
    const same = others.find((other) => other.wide === wide && areSame(other.parameters, parameters));
    if (same !== undefined) return same.answer;
    const answer = this.ask(statement);
    if (name !== '') others.push({ wide, parameters, answer });
    return answer;
  }

  /**
   * Resolves when all of them have run and, if no transaction was open, have been committed; rejects if one failed,
   * which undoes all of them.
   */
  get ready(): Promise<void> {
    this.#ready ??= Promise.withResolvers<void>();
    return this.#ready.promise;
  }

  /** The index of the statement that failed; one past the last if their commit failed. */
  get failed(): number | undefined {
    return this.#failed;
  }

  override readonly submit = (connection: Connection): null => {
    const { parsedStatements, submittedNamedStatements } = connection as PreparingConnection; // see its interface
    this.#known = known.get(connection) ?? new Map();
    known.set(connection, this.#known);
    const { stream } = connection;
    stream.cork();
    let runs: Run[] = [];
    for (const { text, name, values } of this.#asked) {
      const isNew =
        name === undefined || (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined);
      if (isNew) {
        if (runs.length > 0) send(stream, runs, false);
        runs = [];
        connection.parse({ name: name ?? '', text, types: [] }, true);
        if (name !== undefined) {
          submittedNamedStatements[name] = text;
          prepared.set(connection, (prepared.get(connection) ?? 0) + text.length);
        }
      }
      runs.push({ name: name ?? '', values, described: name === undefined || !this.#known.has(name) });
    }
    send(stream, runs, true);
    stream.uncork();
    this.#turnTo(0);
    return null;
  };

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#learn({
      names: fields.map(({ name }) => name),
      plain: fields.map(({ dataTypeID }) => parsers.plain.getTypeParser(dataTypeID)),
      wide: fields.map(({ dataTypeID }) => parsers.wide.getTypeParser(dataTypeID)),
    });
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.#columnsOfCurrent();
    const read = this.#asked[this.#at]?.wide === true ? columns.wide : columns.plain;
    const row = new Array<StoredValue>(fields.length);
    for (let at = 0; at < row.length; at++) {
      const field = fields[at] ?? null;
      row[at] = field === null ? null : (read[at] ?? String)(field);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const current = this.#asked[this.#at];
    if (this.#columns === undefined && current?.name !== undefined && !this.#known.has(current.name))
      this.#learn(noColumns);
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    current?.resolve({ columns: this.#columnsOfCurrent().names, rows: this.#rows, count, done: text });
    this.#turnTo(this.#at + 1);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** A statement failed and those after it are not run, or the connection was lost and all of them with it. */
  handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements } = connection as PreparingConnection; // see its interface
    const [failed, ...behind] = this.#asked.slice(this.#at);
    failed?.reject(error);
    for (const { name, reject } of behind) {
      if (name !== undefined) delete submittedNamedStatements[name];
      reject(new TransactionGone('A previous statement failed.', { cause: error }));
    }
    this.#failed = this.#at;
    this.#at = this.#asked.length;
    this.#ready?.reject(error);
  }

  handleReadyForQuery(): void {
    this.#ready?.resolve();
  }

  #turnTo(at: number): void {
    this.#at = at;
    this.#columns = undefined;
    this.#rows = [];
    this.name = this.#asked[at]?.name;
    this.text = this.#asked[at]?.text ?? '';
  }

  #learn(columns: Columns): void {
    this.#columns = columns;
    const name = this.#asked[this.#at]?.name;
    if (name !== undefined && !this.#known.has(name)) this.#known.set(name, columns);
  }

  /** Known columns are always the same array, so that checks of them can be cached. */
  #columnsOfCurrent(): Columns {
    const name = this.#asked[this.#at]?.name;
    return (name === undefined ? this.#columns : this.#known.get(name)) ?? this.#columns ?? noColumns;
  }
}

const areSame = (some: readonly Parameter[], others: readonly Parameter[]): boolean =>
  some.length === others.length && some.every((value, at) => value === others[at]);

/** The senders of statements that can no longer be sent are told when the connection is lost. */
function send(stream: Connection['stream'], runs: readonly Run[], isLast: boolean): void {
  if (stream.writable) stream.write(runMessages(runs, isLast));
}

const toWire = (value: Parameter): string | Buffer | null => {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return columnText(value);
};
