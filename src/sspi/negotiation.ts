/** An authenticated user: a domain vouches for it, or it knows the password of an account. */
export interface Proven {
  readonly scheme: 'KERBEROS' | 'NTLM';
  /** DOMAIN\name. */
  readonly name: string;
  /** The security identifiers of the groups that the domain reports. */
  readonly groups: readonly string[];
  /** The security identifier of the domain, if reported. */
  readonly domainSid?: string | undefined;
  /** True if the client sent channel bindings, and they match this TLS channel. */
  readonly isBound: boolean;
  /** The service for which the client authenticated, if the mechanism does not guarantee it. */
  readonly service?: string | undefined;
}

/** The result of one token: the reply, which may be empty, and, at the end, the user. */
export interface Step {
  readonly reply: Uint8Array;
  readonly proven?: Proven;
}

/** The server's side of one authentication, token by token. */
export interface Negotiation {
  /** Processes the client's next token; throws Refused. */
  step(token: Buffer): Promise<Step>;
  /** Releases its resources, whether it is complete or not. */
  close(): void;
}

/** A client that is not authenticated. The reason is for the log, never for the client. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Ends a negotiation. */
export function refuse(reason: string): never {
  throw new Refused(reason);
}
