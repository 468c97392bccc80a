import { GssCalls } from './gss/gss-calls.ts';
import { refuse } from './negotiation.ts';

/** A proof that has begun: a token for the server, and what to do with the server's. */
interface Proof {
  readonly token: Uint8Array;
  /** Checks the token that the server proves itself with; throws when it is not the one that was meant. */
  finish(reply: Uint8Array): Promise<void>;
  /** Gives back what it holds. */
  close(): void;
}

/** Proves by Kerberos who the user is that this process has a ticket of. */
export class KerberosInitiator implements AsyncDisposable {
  readonly #calls = new GssCalls();

  /** Begins a proof for a service, such as `MSSQLSvc/db.corp.test:1433`, tied to a TLS channel when one is named. */
  async begin(service: string, binding: Uint8Array | undefined): Promise<Proof> {
    const calls = this.#calls;
    const context = calls.nextContext();
    const bound = binding === undefined ? {} : { bindings: binding };
    const { reply: token } = await calls.run({ kind: 'initiate', context, service, ...bound });
    return {
      token,
      async finish(reply) {
        const { isDone } = await calls.run({ kind: 'initiate', context, service, token: reply });
        if (!isDone) refuse('the server did not prove who it is');
      },
      close: () => calls.close(context),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#calls[Symbol.asyncDispose]();
  }
}
