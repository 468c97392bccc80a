import type { Duplex } from 'node:stream';

/**
 * What is encrypted: nothing, the login alone, everything from the login on (TDS 7.4), or every byte from the first on
 * (TDS 8.0).
 */
export type Encryption = 'off' | 'login' | 'full' | 'strict';

/** An authentication exchange: a token for the server, and the check of the one with which it authenticates itself. */
export interface WindowsProof {
  readonly token: Uint8Array;
  finish(reply: Uint8Array): Promise<void>;
  close(): void;
}

/** How a Windows user logs in without a password. */
export interface WindowsSignOn {
  /** Starts an exchange for a service (MSSQLSvc/host:port), bound to the TLS channel if there is one. */
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
  /** Everything by default. */
  readonly encryption?: Encryption;
  /** Certificates in PEM that are trusted instead of the system's: the server's own, or those of its authorities. */
  readonly ca?: string | readonly string[];
  /** Encrypts without verifying the server. */
  readonly trustServerCertificate?: boolean;
  /** The name that the certificate must have, unless it is in `ca` itself; `host` by default. */
  readonly serverName?: string;
  /** Milliseconds until the login must be complete; 15 seconds by default. */
  readonly connectTimeout?: number;
  /**
   * Milliseconds that the server may take to acknowledge a cancel before the connection is dropped; 5 seconds by
   * default.
   */
  readonly cancelTimeout?: number;
  readonly appName?: string;
  /** The requested packet size. */
  readonly packetSize?: number;
}

/** A server in the same process: it accepts a login without a password. */
export interface LocalServer {
  attach(login: string): Duplex;
}

/** A server in the same process, and the login to use. */
export interface LocalOptions {
  readonly server: LocalServer;
  readonly database: string;
  /** `sa` by default. */
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

/** The longest time of a timer; Node fires longer ones immediately. */
const longestTime = 2 ** 31 - 1;

/** Milliseconds for a timer: Infinity means no limit. */
export const timerTime = (milliseconds: number): number => Math.min(milliseconds, longestTime);
