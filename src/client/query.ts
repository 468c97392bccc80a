import type { Row } from '../base/stored.ts';
import type { Columns } from '../procedure/declare.ts';
import { type CallRequest, procedureIds } from '../tds/message/rpc.ts';
import { type ColumnInfo, doneStatus, type Token } from '../tds/token/index.ts';
import { bigint, bit, datetime2, float, int, nvarchar, varbinary } from '../tds/types/index.ts';
import type { AnyType, SqlType, TypedValue } from '../tds/types/sql-type.ts';
import { ClientError } from './client-error.ts';
import { Ending, type PlainRow } from './outcome.ts';

/** A value with the type as which it is sent; without a type, the value decides. */
export const typed = <T>(type: SqlType<T>, value: T | null): TypedValue => ({ type, value });

/** Parameters of T-SQL text by their names, without the @. */
export type QueryParams = Readonly<Record<string, unknown>>;

/** The result of a T-SQL batch. */
export interface QueryResult {
  /** The rows of each result set, in order. */
  readonly sets: readonly (readonly PlainRow[])[];
  readonly columns: readonly (readonly ColumnInfo[])[];
  /** How many rows the statements changed or sent in total. */
  readonly count: number;
  /** Messages of PRINT and warnings. */
  readonly messages: readonly { readonly number: number; readonly text: string }[];
}

const longText = nvarchar('max');

/** Text with parameters, as sp_executesql takes it. */
export function textRequest(text: string, params: QueryParams): CallRequest {
  const values = Object.entries(params).map(([name, value]) => ({ name: `@${name}`, ...withType(value) }));
  const declared = values.map(({ name, type }) => `${name} ${type.declaration}`).join(', ');
  const statement = [text, declared].map((value) => ({ type: longText, value }));
  return { procedure: procedureIds.sp_executesql, params: [...statement, ...values] };
}

const isTyped = (value: unknown): value is TypedValue =>
  typeof value === 'object' && value !== null && 'type' in value && 'value' in value;

function withType(given: unknown): TypedValue {
  if (isTyped(given)) {
    const { type, value } = given;
    return { type, value: value === null ? null : type.check(value) };
  }
  const type = typeFor(given);
  return { type, value: given === undefined || given === null ? null : type.check(given) };
}

const largestInt = 2 ** 31 - 1;

function typeFor(value: unknown): AnyType {
  if (typeof value === 'boolean') return bit;
  if (typeof value === 'bigint') return bigint;
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= largestInt ? int : float;
  if (typeof value === 'string') return value.length <= 4000 ? nvarchar(4000) : longText;
  if (value instanceof Uint8Array) return value.length <= 8000 ? varbinary(8000) : varbinary('max');
  if (value instanceof Date) return datetime2(7);
  if (value === null || value === undefined) return nvarchar(1);
  throw new TypeError(`A parameter of T-SQL cannot be a ${typeof value}; give it a type.`);
}

/** Collects the result of a batch. */
export class QueryAnswer {
  readonly #ending = new Ending();
  readonly #sets: PlainRow[][] = [];
  readonly #columns: (readonly ColumnInfo[])[] = [];
  readonly #messages: { number: number; text: string }[] = [];
  #count = 0;

  take(token: Token): void {
    const row = this.#ending.take(token);
    if (row !== undefined) this.#sets.at(-1)?.push(row);
    else if (token.token === 'columns') {
      this.#sets.push([]);
      this.#columns.push(token.columns);
    } else if (token.token === 'info') this.#messages.push({ number: token.number, text: token.text });
    else if (token.token === 'done' || token.token === 'doneInProc') this.#add(token.status, token.count);
  }

  #add(status: number, count: number): void {
    if ((status & doneStatus.count) !== 0) this.#count += count;
  }

  get result(): QueryResult {
    return { sets: this.#sets, columns: this.#columns, count: this.#count, messages: this.#messages };
  }
}

/** The rows of the single requested result set, once its columns are verified. */
export function rowsAs<C extends Columns>(columns: C, { sets, columns: came }: QueryResult): Row<C>[] {
  const names = Object.keys(columns);
  const [first = []] = came;
  if (sets.length !== 1 || first.length !== names.length || first.some(({ name }, i) => name !== names[i])) {
    const got = came.map((set) => set.map(({ name }) => name));
    throw new ClientError('protocol', `the text answered ${JSON.stringify(got)} and not ${JSON.stringify([names])}`, {
      sent: true,
    });
  }
  // The names are those of the declaration; the types are the server's, which the text decides.
  return sets[0] as unknown as Row<C>[];
}
