import type { AnyProcedure, CallResult, Columns, Outcome, Outcomes, Params, Procedure } from '../procedure/declare.ts';
import type { Param } from '../procedure/param.ts';
import type { Token } from '../tds/token/index.ts';
import { rowversion } from '../tds/types/index.ts';
import { ClientError } from './client-error.ts';

/** A row by the names of its columns. */
export type PlainRow = Readonly<Record<string, unknown>>;

/** The parts of a response that determine which declared outcome it is. */
export class Ending {
  status = 0;
  readonly output: Record<string, unknown> = {};
  /** The column names of each result set, in order. */
  readonly sets: (readonly string[])[] = [];

  /** Processes a token; for a row, returns it by the names of its columns. */
  take(token: Token): PlainRow | undefined {
    if (token.token === 'row') return namedRow(this.sets.at(-1) ?? [], token.values);
    if (token.token === 'returnStatus') this.status = token.status;
    else if (token.token === 'returnValue') this.output[token.name.slice(1)] = token.value;
    else if (token.token === 'columns') this.sets.push(token.columns.map(({ name }) => name));
    return undefined;
  }

  /** The output values as declared: a server that follows the request sends a row version as plain bytes. */
  outputOf({ params }: AnyProcedure): Record<string, unknown> {
    const declared: Readonly<Record<string, Param>> = params;
    const values = Object.entries(this.output).map(([name, value]) =>
      value instanceof Uint8Array && declared[name]?.type === rowversion
        ? [name, Buffer.from(value).readBigUInt64BE()]
        : [name, value],
    );
    return Object.fromEntries(values);
  }

  /** The outcome that matches the code and result sets; a declaration keeps these distinct. */
  outcomeOf(procedure: AnyProcedure): [name: string, outcome: Outcome] {
    const outcomes: [string, Outcome][] = Object.entries(procedure.outcomes);
    const found = outcomes.find(
      ([, { code, sets = {} }]) =>
        (typeof code !== 'number' || code === this.status) &&
        Object.keys(sets).length === this.sets.length &&
        isAnsweredBy(Object.values(sets), this.sets),
    );
    if (found === undefined) throw undeclared(procedure, this);
    return found;
  }

  /** The declared name of the latest result set: from the first outcome that starts with the sets received. */
  setOf(procedure: AnyProcedure): string {
    const outcomes: Outcome[] = Object.values(procedure.outcomes);
    const fitting = outcomes.find(({ sets = {} }) => isAnsweredBy(Object.values(sets), this.sets));
    const name = fitting && Object.keys(fitting.sets ?? {})[this.sets.length - 1];
    if (name === undefined) throw undeclared(procedure, this);
    return name;
  }
}

/** True if the sets received are the first of the declared ones. */
const isAnsweredBy = (declared: readonly Columns[], came: readonly (readonly string[])[]): boolean =>
  came.length <= declared.length &&
  came.every((names, at) => {
    const columns = Object.keys(declared[at] ?? {});
    return names.length === columns.length && names.every((name, i) => name === columns[i]);
  });

const undeclared = (procedure: AnyProcedure, { status, sets }: Ending): ClientError =>
  new ClientError(
    'protocol',
    `${procedure.name} answered ${status} with the result sets ${JSON.stringify(sets)}, which is none of its outcomes`,
    { sent: true },
  );

function namedRow(names: readonly string[], values: readonly unknown[]): PlainRow {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = values[at];
  return row;
}

/** Collects a whole response as its declared outcome. */
export class Answer {
  readonly #ending = new Ending();
  readonly #rows: PlainRow[][] = [];

  take(token: Token): void {
    const row = this.#ending.take(token);
    if (row !== undefined) this.#rows.at(-1)?.push(row);
    else if (token.token === 'columns') this.#rows.push([]);
  }

  as<P extends Params, O extends Outcomes>(procedure: Procedure<P, O>): CallResult<P, O> {
    const [outcome, { code, sets = {} }] = this.#ending.outcomeOf(procedure);
    const names = Object.keys(sets);
    const result = {
      outcome,
      output: this.#ending.outputOf(procedure),
      ...(typeof code === 'number' ? {} : { returns: this.#ending.status }),
      ...(names.length > 0 ? { sets: Object.fromEntries(names.map((name, i) => [name, this.#rows[i] ?? []])) } : {}),
    };
    // The shape was matched to the declaration above; the compiler cannot follow names that are data.
    return result as unknown as CallResult<P, O>;
  }
}
