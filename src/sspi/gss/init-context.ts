import { importName } from './credential.ts';
import { GssError, isFailure, needsMore } from './gss-error.ts';
import { bindingsStruct, bufferOf, cell, gss, oids, pointerIn, taken } from './library.ts';

/** Mutual authentication, replay detection, sequence detection, integrity. */
const flags = 2 | 4 | 8 | 32;

/** The client's side of one context, for the user whose ticket the environment has; must be closed. */
export class InitContext {
  readonly #context = cell();
  readonly #name: Buffer;
  readonly #bindings: Buffer | null;

  constructor(service: string, bindings: Uint8Array | undefined) {
    this.#name = importName(service);
    this.#bindings = bindingsStruct(bindings);
  }

  /** Creates the next token from the server's last one; throws GssError. May contact the KDC and wait for it. */
  step(token?: Uint8Array): { readonly reply: Buffer; readonly isDone: boolean } {
    const [minor, reply] = [cell(), bufferOf()];
    const input = token === undefined ? null : bufferOf(token);
    const major = gss().gss_init_sec_context(
      minor,
      null,
      this.#context,
      pointerIn(this.#name),
      oids.krb5,
      flags,
      0,
      this.#bindings,
      input,
      null,
      reply,
      null,
      null,
    );
    const bytes = taken(reply);
    if (isFailure(major)) throw new GssError(major, minor.readUInt32LE());
    return { reply: bytes, isDone: !needsMore(major) };
  }

  close(): void {
    gss().gss_release_name(cell(), this.#name);
    if (pointerIn(this.#context) !== 0n) gss().gss_delete_sec_context(cell(), this.#context, null);
  }
}
