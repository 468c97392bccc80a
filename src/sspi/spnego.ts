import { element, readAll, readElement, readTagged } from './der.ts';
import { refuse } from './negotiation.ts';

/** Mechanisms by the DER of their object identifiers. */
export const mechanisms = {
  spnego: Buffer.from('06062b0601050502', 'hex'),
  kerberos: Buffer.from('06092a864886f712010202', 'hex'),
  /** The identifier that early versions of Windows misspelled, and that all since send too. */
  kerberosOfWindows: Buffer.from('06092a864882f712010202', 'hex'),
  ntlm: Buffer.from('060a2b06010401823702020a', 'hex'),
};

/** Mechanisms that a client may offer; real ones offer up to five. */
const mostMechanisms = 32;

const tags = { application: 0x60, init: 0xa0, response: 0xa1, sequence: 0x30, octets: 0x04, enumerated: 0x0a };
/** The fields of both messages have context tags. */
const field = (index: number): number => 0xa0 + index;

/** What opens a negotiation (RFC 4178 4.2.1). */
interface NegTokenInit {
  /** The offered mechanisms, as DER, the client's favourite first. */
  readonly offered: readonly Buffer[];
  /** The list as it was sent, which mechListMIC covers. */
  readonly list: Buffer;
  /** The first token of the favourite. */
  readonly token: Buffer | undefined;
}

/** The mechanism that a token of GSSAPI (RFC 2743 3.1) is of, as DER; undefined for a token that has no such header. */
export function mechanismOf(token: Buffer): Buffer | undefined {
  if (token[0] !== tags.application) return undefined;
  return readTagged(0x06, readElement(token).body).whole;
}

/** Reads the first token of SPNEGO, header and all. */
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

/** What a client answers (RFC 4178 4.2.2). */
interface NegTokenResponse {
  readonly token: Buffer | undefined;
  readonly mic: Buffer | undefined;
}

/** Reads a later token of SPNEGO. */
export function readResponse(token: Buffer): NegTokenResponse {
  const fields = fieldsOf(readTagged(tags.response, token).body);
  return { token: octetsOf(fields.get(field(2))), mic: octetsOf(fields.get(field(3))) };
}

/** How a negotiation stands, as the server says it. */
export const negotiationStates = { completed: 0, incomplete: 1, requestMic: 3 } as const;

/** What the server answers, besides the state. */
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
