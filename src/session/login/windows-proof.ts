import { hostname } from 'node:os';
import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Vouched } from '../../base/vouched.ts';
import { type Negotiation, type Proven, Refused, type Step } from '../../sspi/negotiation.ts';
import type { WindowsAuthentication } from '../../sspi/windows-authentication.ts';
import type { Channel } from '../channel.ts';
import type { ServerContext } from '../context.ts';

/** Tokens that a client may send; Kerberos takes one or two, NTLM two or three. */
const mostTokens = 8;
/** How many group SIDs a refusal lists, for the operator who looks for one to create a login for. */
const mostShown = 40;

/** The TDS or HTTP connection over which a client authenticates. */
export type ProvingConnection = Pick<
  Channel,
  'address' | 'localAddress' | 'localPort' | 'loopback' | 'encrypted' | 'bindings' | 'closed'
>;

/** The result of a token: the server's own token, which may be empty, and at the end the login. */
interface Taken {
  readonly reply: Uint8Array;
  readonly admitted?: Vouched;
}

/**
 * The SSPI authentication of one client as a Windows user: 18452 if it fails, 18456 if there is no login for the user.
 * The reason is for the log only, as the cause of the error.
 */
export class WindowsProof implements Disposable {
  readonly #connection: ProvingConnection;
  readonly #context: Pick<ServerContext, 'accounts' | 'view'>;
  readonly #windows: WindowsAuthentication | undefined;
  #negotiation: Negotiation | undefined;
  #count = 0;

  constructor(
    connection: ProvingConnection,
    context: Pick<ServerContext, 'accounts' | 'view'>,
    windows: WindowsAuthentication | undefined,
  ) {
    this.#connection = connection;
    this.#context = context;
    this.#windows = windows;
  }

  /** Takes the client's next token. */
  async take(token: Buffer): Promise<Taken> {
    const { reply, proven } = await this.#step(token);
    return proven === undefined ? { reply } : { reply, admitted: await this.#admit(proven) };
  }

  /** Ends an authentication that the client has abandoned. */
  refuse(reason: string): never {
    throw because(sqlError(18452), reason);
  }

  [Symbol.dispose](): void {
    this.#negotiation?.close();
    this.#negotiation = undefined;
  }

  async #step(token: Buffer): Promise<Step> {
    const windows = this.#windows ?? this.refuse('Windows authentication is not configured');
    if (++this.#count > mostTokens) this.refuse(`no proof after ${mostTokens} tokens`);
    const { bindings, localAddress, localPort } = this.#connection;
    try {
      this.#negotiation ??= this.#begin(windows, token);
      const step = await this.#negotiation.step(token);
      if (step.proven === undefined) return step;
      const hosts = [hostname(), this.#context.view.name, 'localhost', localAddress.replace(/^::ffff:/, '')];
      windows.checkProtection(step.proven, bindings, { hosts, port: localPort });
      return step;
    } catch (error) {
      if (error instanceof Refused) this.refuse(error.message);
      throw error;
    }
  }

  #begin(windows: WindowsAuthentication, token: Buffer): Negotiation {
    const { encrypted, loopback } = this.#connection;
    // An NTLM response can be brute-forced offline and relayed: it needs an encrypted channel.
    if (windows.schemeOf(token) === 'NTLM' && !encrypted && !loopback) {
      throw because(sqlError(17835), 'NTLM over a connection that is not encrypted');
    }
    return windows.begin(token, this.#connection);
  }

  async #admit(proven: Proven): Promise<Vouched> {
    const admitted = await this.#context.accounts.windows.admit(proven);
    if (admitted !== undefined) return { ...admitted, authentication: proven.scheme };
    const { name, groups } = proven;
    const listed = groups.length === 0 ? 'no group' : `the groups ${groups.slice(0, mostShown).join(', ')}`;
    throw because(sqlError(18456, name), `there is no login for ${name}, nor for ${listed}`);
  }
}

/** The error with its reason as the cause. */
function because({ number, message, severity, state }: SqlError, reason: string): SqlError {
  return new SqlError(number, message, { severity, state, cause: new Error(reason) });
}
