import { element, readAll, readElement, readTagged } from './der.ts';
import { refuse } from './negotiation.ts';

/** Mechanisms, by the DER encoding of their object identifiers. */
export const mechanisms = {
  spnego: Buffer.from('06062b0601050502', 'hex'),
  kerberos: Buffer.from('06092a864886f712010202', 'hex'),
  /** The identifier that early versions of Windows misspelled, and that all later ones also send. */
  kerberosOfWindows: Buffer.from('06092a864882f712010202', 'hex'),
  ntlm: Buffer.from('060a2b06010401823702020a', 'hex'),
};

/** The maximum number of mechanisms that a client may offer; real clients offer up to five. */
const mostMechanisms = 32;

const tags = { application: 0x60, init: 0xa0, response: 0xa1, sequence: 0x30, octets: 0x04, enumerated: 0x0a };
/** The fields of both messages have context tags. */
const field = (index: number): number => 0xa0 + index;

/** The first token of a negotiation (RFC 4178 4.2.1). */
interface NegTokenInit {
  /** The offered mechanisms in DER, in order of the client's preference. */
  readonly offered: readonly Buffer[];
  /** The list as it was sent, which mechListMIC covers. */
  readonly list: Buffer;
  /** The first token of the preferred mechanism. */
  readonly token: Buffer | undefined;
}

/** The mechanism of a GSSAPI token (RFC 2743 3.1) in DER; undefined for a token without such a header. */
export function mechanismOf(token: Buffer): Buffer | undefined {
  if (token[0] !== tags.application) return undefined;
  return readTagged(0x06, readElement(token).body).whole;
}

/** Reads the first SPNEGO token, including its header. */
export function readInit(token: Buffer): NegTokenInit {
  const { body } = readTagged(tags.application, token);
  const { end } = readTagged(0x06, body);
  const fields = fieldsOf(readTagged(tags.init, body, end).body);
  const list = fields.get(field(0));
  if (list === undefined) return refuse('SPNEGO offers no mechanism');
  const offered = readAll(readTagged(tags.sequence, list).body).map(({ whole }) => whole);
  if (offered.length > mostMechanisms) return refuse('SPNEGO offers too many mechanisms');
  return { offered, list, token: octetsOf(fields.get(field(2))) };
}

/** A later token of the client (RFC 4178 4.2.2). */
interface NegTokenResponse {
  readonly token: Buffer | undefined;
  readonly mic: Buffer | undefined;
}

/** Reads a later SPNEGO token. */
export function readResponse(token: Buffer): NegTokenResponse {
  const fields = fieldsOf(readTagged(tags.response, token).body);
  return { token: octetsOf(fields.get(field(2))), mic: octetsOf(fields.get(field(3))) };
}

/** The state of a negotiation that the server reports. */
export const negotiationStates = { completed: 0, incomplete: 1, requestMic: 3 } as const;

/** The server's answer, besides the state. */
interface Answer {
  readonly mechanism?: Buffer;
  readonly token?: Uint8Array;
  readonly mic?: Uint8Array;
}

/** Writes the server's token. */
export function writeResponse(
  state: (typeof negotiationStates)[keyof typeof negotiationStates],
  { mechanism, token, mic }: Answer,
): Buffer {
  return element(
    tags.response,
    element(
      tags.sequence,
      element(field(0), element(tags.enumerated, Buffer.of(state))),
      ...(mechanism === undefined ? [] : [element(field(1), mechanism)]),
      ...(token === undefined ? [] : [element(field(2), element(tags.octets, token))]),
      ...(mic === undefined ? [] : [element(field(3), element(tags.octets, mic))]),
    ),
  );
}

function fieldsOf(body: Buffer): Map<number, Buffer> {
  return new Map(readAll(readTagged(tags.sequence, body).body).map((each) => [each.tag, each.body]));
}

function octetsOf(value: Buffer | undefined): Buffer | undefined {
  return value === undefined ? undefined : readTagged(tags.octets, value).body;
}
