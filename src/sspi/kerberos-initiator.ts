import { GssCalls } from './gss/gss-calls.ts';
import { refuse } from './negotiation.ts';

/** A proof in progress: a token for the server, and how to process the server's token. */
interface Proof {
  readonly token: Uint8Array;
  /** Verifies the token by which the server authenticates itself; throws if it is another server. */
  finish(reply: Uint8Array): Promise<void>;
  /** Releases its resources. */
  close(): void;
}

/** Authenticates by Kerberos as the user whose ticket this process has. */
export class KerberosInitiator implements AsyncDisposable {
  readonly #calls = new GssCalls();

  /** Begins a proof for a service, such as `MSSQLSvc/db.corp.test:1433`, bound to a TLS channel if one is given. */
  async begin(service: string, binding: Uint8Array | undefined): Promise<Proof> {
    const calls = this.#calls;
    const context = calls.nextContext();
    const bound = binding === undefined ? {} : { bindings: binding };
    const { reply: token } = await calls.run({ kind: 'initiate', context, service, ...bound });
    return {
      token,
      async finish(reply) {
        const { isDone } = await calls.run({ kind: 'initiate', context, service, token: reply });
        if (!isDone) refuse('the server did not authenticate itself');
      },
      close: () => calls.close(context),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#calls[Symbol.asyncDispose]();
  }
}
