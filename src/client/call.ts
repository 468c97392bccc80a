import type {
  AnyProcedure,
  CallInput,
  CallResult,
  Columns,
  Outcome,
  Outcomes,
  Params,
  Procedure,
} from '../procedure/declare.ts';
import { isOutput, type Param } from '../procedure/param.ts';
import type { RpcParam } from '../tds/message/rpc.ts';
import type { Token } from '../tds/token/index.ts';
import { ClientConnection, type ConnectOptions } from './connection.ts';

/** Calls a procedure with typed input and gets a typed result: the outcome that the declaration names. */
type Call = <P extends Params, O extends Outcomes>(
  procedure: Procedure<P, O>,
  input: CallInput<P>,
) => Promise<CallResult<P, O>>;

/** A client that knows the declarations: what a call takes and gives back is checked when it is compiled. */
export class Client implements AsyncDisposable {
  readonly #connection: ClientConnection;

  private constructor(connection: ClientConnection) {
    this.#connection = connection;
  }

  /** Connects and logs in. */
  static async connect(options: ConnectOptions): Promise<Client> {
    return new Client(await ClientConnection.open(options));
  }

  readonly call: Call = async (procedure, input) => {
    const answer = new Answer();
    await this.#connection.rpc([{ procedure: procedure.name, params: wireParams(procedure, input) }], (token) =>
      answer.take(token),
    );
    return answer.as(procedure);
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}

/** The parameters that were given, each with its declared type; outputs are always asked for. */
export function wireParams(procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): RpcParam[] {
  const params: Readonly<Record<string, Param>> = procedure.params;
  return Object.entries(params).flatMap(([name, param]) => {
    const byRef = isOutput(param);
    if (!(name in input) && !byRef) return [];
    return [{ name: `@${name}`, type: param.type, value: input[name] ?? null, byRef, useDefault: false }];
  });
}

/** What came back, before it is known which of the declared outcomes it is. */
class Answer {
  #status = 0;
  readonly #output: Record<string, unknown> = {};
  readonly #sets: { readonly names: readonly string[]; readonly rows: Record<string, unknown>[] }[] = [];

  take(token: Token): void {
    if (token.token === 'returnStatus') this.#status = token.status;
    else if (token.token === 'returnValue') this.#output[token.name.slice(1)] = token.value;
    else if (token.token === 'columns') this.#sets.push({ names: token.columns.map(({ name }) => name), rows: [] });
    else if (token.token === 'row') this.#row(token.values);
  }

  #row(values: readonly unknown[]): void {
    const set = this.#sets.at(-1);
    set?.rows.push(Object.fromEntries(set.names.map((name, i) => [name, values[i]])));
  }

  #areNamedAs(declared: readonly Columns[]): boolean {
    if (declared.length !== this.#sets.length) return false;
    return this.#sets.every(({ names }, at) => {
      const columns = Object.keys(declared[at] ?? {});
      return names.length === columns.length && names.every((name, i) => name === columns[i]);
    });
  }

  /** The outcome is the one whose code and sets came; a declaration keeps those apart. */
  as<P extends Params, O extends Outcomes>(procedure: Procedure<P, O>): CallResult<P, O> {
    const outcomes: [string, Outcome][] = Object.entries(procedure.outcomes);
    const named = outcomes.find(
      ([, { code, sets = {} }]) =>
        (typeof code !== 'number' || code === this.#status) && this.#areNamedAs(Object.values(sets)),
    );
    if (!named) throw new Error(`${procedure.name} answered ${this.#status} with ${this.#sets.length} result sets`);
    const [outcome, { code, sets = {} }] = named;
    const declared: [string, Columns][] = Object.entries(sets);
    const result = {
      outcome,
      output: this.#output,
      ...(typeof code === 'number' ? {} : { returns: this.#status }),
      ...(declared.length
        ? { sets: Object.fromEntries(declared.map(([name], i) => [name, this.#sets[i]?.rows ?? []])) }
        : {}),
    };
    // The shape was matched to the declaration above; the compiler cannot follow names that are data.
    return result as unknown as CallResult<P, O>;
  }
}
