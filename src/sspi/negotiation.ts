/** Somebody whom a domain vouches for, or who knows the password of an account. */
export interface Proven {
  readonly scheme: 'KERBEROS' | 'NTLM';
  /** DOMAIN\name. */
  readonly name: string;
  /** The security identifiers of the groups that the domain tells. */
  readonly groups: readonly string[];
  /** The security identifier of the domain, where it tells one. */
  readonly domainSid?: string | undefined;
  /** True when the client said which TLS channel it speaks through, and it is this one. */
  readonly isBound: boolean;
  /** The service that the client meant to speak to, where that is not proven by itself. */
  readonly service?: string | undefined;
}

/** What comes of one token: the one to send back, which may be empty, and, at the end, who it is. */
export interface Step {
  readonly reply: Uint8Array;
  readonly proven?: Proven;
}

/** The server's side of one client's proof, token by token. */
export interface Negotiation {
  /** Takes the client's next token; throws Refused. */
  step(token: Buffer): Promise<Step>;
  /** Gives back what it holds, whether it has come to an end or not. */
  close(): void;
}

/** A client that proves nothing; the reason is for the log, never for the client. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Ends a negotiation. */
export function refuse(reason: string): never {
  throw new Refused(reason);
}
