import type { Duplex } from 'node:stream';

/**
 * What is encrypted: nothing, the login alone, everything from the login on (TDS 7.4), or every byte from the first on
 * (TDS 8.0).
 */
export type Encryption = 'off' | 'login' | 'full' | 'strict';

/** A proof of who the user is: a token for the server, and what to do with the one that it proves itself with. */
export interface WindowsProof {
  readonly token: Uint8Array;
  finish(reply: Uint8Array): Promise<void>;
  close(): void;
}

/** How a Windows user logs in without a password. */
export interface WindowsSignOn {
  /** Begins a proof for a service (MSSQLSvc/host:port), tied to the TLS channel when there is one. */
  begin(service: string, binding: Uint8Array | undefined): Promise<WindowsProof>;
}

/** A server to connect to over the network, and as whom. */
export interface NetworkOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Logs in as a Windows user, in place of `user` and `password`; `kerberos()` makes one. */
  readonly windows?: WindowsSignOn;
  readonly database: string;
  /** Everything unless said otherwise. */
  readonly encryption?: Encryption;
  /** Certificates in PEM that are trusted instead of the system's: the server's own, or those of its authorities. */
  readonly ca?: string | readonly string[];
  /** Encrypts without asking whom it talks to. */
  readonly trustServerCertificate?: boolean;
  /** The name that the certificate must have; `host` unless given. */
  readonly serverName?: string;
  /** Milliseconds until the login must be done; 15 seconds unless given. */
  readonly connectTimeout?: number;
  /** Milliseconds that the server may take to stop what was cancelled, before the connection is given up; 5 seconds unless given. */
  readonly cancelTimeout?: number;
  readonly appName?: string;
  /** The size of packets that is asked for. */
  readonly packetSize?: number;
}

/** A server that runs in the same process: it lets a login in without asking for a password. */
export interface LocalServer {
  attach(login: string): Duplex;
}

/** A server in the same process, and as whom it is spoken to. */
export interface LocalOptions {
  readonly server: LocalServer;
  readonly database: string;
  /** `sa` unless given. */
  readonly login?: string;
  readonly connectTimeout?: number;
  readonly cancelTimeout?: number;
  readonly appName?: string;
  readonly packetSize?: number;
}

/** Where to connect and as whom. */
export type ConnectOptions = NetworkOptions | LocalOptions;

export const defaultConnectTimeout = 15_000;
export const defaultCancelTimeout = 5_000;
