import { check, GssError, isFailure, needsMore } from './gss-error.ts';
import { bindingsStruct, bufferOf, cell, gss, pointerIn, taken } from './library.ts';

/** GSS_C_CHANNEL_BOUND_FLAG: the client sent channel bindings, and they match. */
const channelBound = 0x800;
/** KERB_VALIDATION_INFO of a ticket's PAC, if its KDC includes one. */
const logonInfo = Buffer.from('urn:mspac:logon-info');

/** What an acceptor knows about an authenticated client. */
export interface Accepted {
  /** user@REALM. */
  readonly principal: string;
  readonly isBound: boolean;
  /** The domain's signed information about the user, if present. */
  readonly logonInfo: Uint8Array | undefined;
}

/** The server's side of one GSSAPI context; must be closed. */
export class AcceptContext {
  readonly #context = cell();
  readonly #credential: Buffer;
  readonly #bindings: Buffer | null;

  constructor(credential: Buffer, bindings: Uint8Array | undefined) {
    this.#credential = credential;
    this.#bindings = bindingsStruct(bindings);
  }

  /** Processes the client's next token; throws GssError. */
  step(token: Uint8Array): { readonly reply: Buffer; readonly accepted?: Accepted } {
    const [minor, name, reply, flags] = [cell(), cell(), bufferOf(), cell()];
    const major = gss().gss_accept_sec_context(
      minor,
      this.#context,
      pointerIn(this.#credential),
      bufferOf(token),
      this.#bindings,
      name,
      null,
      reply,
      flags,
      null,
      null,
    );
    const bytes = taken(reply);
    try {
      if (isFailure(major)) throw new GssError(major, minor.readUInt32LE());
      if (needsMore(major)) return { reply: bytes };
      const isBound = (flags.readUInt32LE() & channelBound) !== 0;
      return { reply: bytes, accepted: { principal: displayed(name), isBound, logonInfo: logonInfoOf(name) } };
    } finally {
      if (pointerIn(name) !== 0n) gss().gss_release_name(cell(), name);
    }
  }

  close(): void {
    if (pointerIn(this.#context) !== 0n) gss().gss_delete_sec_context(cell(), this.#context, null);
  }
}

function displayed(name: Buffer): string {
  const [minor, text] = [cell(), bufferOf()];
  check(gss().gss_display_name(minor, pointerIn(name), text, null), minor);
  return taken(text).toString();
}

function logonInfoOf(name: Buffer): Uint8Array | undefined {
  const [isSigned, isComplete, value, shown, more] = [cell(), cell(), bufferOf(), bufferOf(), Buffer.alloc(4, 0xff)];
  const major = gss().gss_get_name_attribute(
    cell(),
    pointerIn(name),
    bufferOf(logonInfo),
    isSigned,
    isComplete,
    value,
    shown,
    more,
  );
  const bytes = taken(value);
  taken(shown);
  return isFailure(major) || isSigned.readInt32LE() === 0 || bytes.length === 0 ? undefined : bytes;
}
