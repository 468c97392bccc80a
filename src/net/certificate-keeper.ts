import { X509Certificate } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log/log.ts';
import type { Service } from '../base/service.ts';
import type { KeyPair } from './self-signed.ts';

/** Milliseconds between two checks of the files. */
const usualInterval = 60_000;
/** Milliseconds before the certificate expires from which the log warns about it daily. */
const notice = 14 * 86_400_000;
const day = 86_400_000;

interface CertificateKeeperOptions {
  /** Reads the current content of the files. */
  read(): Promise<KeyPair>;
  /** The file of the certificate, for whoever has to replace it. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly interval?: number | undefined;
}

/**
 * The server's certificate during its run time: authorities issue certificates for weeks, servers run for years. A
 * replacement is used for new connections without a restart; one that does not fit is reported, and the old one stays
 * in use.
 */
export class CertificateKeeper implements Service {
  readonly #options: CertificateKeeperOptions;
  readonly #takers: ((pair: KeyPair) => void)[] = [];
  #pair: KeyPair;
  #read: X509Certificate;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Why the last check found no valid pair. */
  #misfit = '';
  #told = Number.NEGATIVE_INFINITY;

  private constructor(options: CertificateKeeperOptions, pair: KeyPair) {
    this.#options = options;
    this.#pair = pair;
    this.#read = new X509Certificate(pair.cert);
  }

  static async open(options: CertificateKeeperOptions): Promise<CertificateKeeper> {
    return new CertificateKeeper(options, await options.read());
  }

  get pair(): KeyPair {
    return this.#pair;
  }

  /** When it expires. */
  get until(): Date {
    return this.#read.validToDate;
  }

  /** Registers a listener for each new pair; if it throws, the old pair stays in use. */
  onRenewal(taker: (pair: KeyPair) => void): void {
    this.#takers.push(taker);
  }

  /** Why clients that verify the certificate cannot connect, and what to do about it; undefined if they can. */
  trouble(): string | undefined {
    const now = this.#options.clock.now();
    const { validFromDate, validToDate } = this.#read;
    const what =
      now >= validToDate
        ? `it expired on ${validToDate.toISOString()}`
        : now < validFromDate
          ? `it is not valid before ${validFromDate.toISOString()}`
          : undefined;
    if (what === undefined) return undefined;
    return `${what}, and clients that verify it cannot connect; a new one in ${this.#options.file} is picked up within a minute.`;
  }

  async start(): Promise<void> {
    this.#warn();
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.look());
    }, this.#options.interval ?? usualInterval).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Switches to the pair in the files, if it is a new one. */
  async look(): Promise<void> {
    const { read, log, file } = this.#options;
    try {
      const found = await read();
      if (found.cert !== this.#pair.cert || found.key !== this.#pair.key) {
        const parsed = new X509Certificate(found.cert);
        for (const take of this.#takers) take(found);
        this.#pair = found;
        this.#read = parsed;
        this.#told = Number.NEGATIVE_INFINITY;
        log.info('a new certificate is in use', { file, until: this.until.toISOString() });
      }
      this.#misfit = '';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // A renewal writes two files one after the other, so only what has not changed by the next check is wrong.
      if (reason === this.#misfit)
        log.warn('a new certificate cannot be used, the old one stays in use', { file, reason });
      this.#misfit = reason;
    }
    this.#warn();
  }

  #warn(): void {
    const { clock, log, file } = this.#options;
    const now = clock.now().getTime();
    const trouble = this.trouble();
    if ((trouble === undefined && now < this.until.getTime() - notice) || now < this.#told + day) return;
    this.#told = now;
    const until = this.until.toISOString();
    if (trouble === undefined) log.warn('the certificate expires soon', { file, until });
    else log.error('the certificate is not valid', { file, reason: trouble });
  }
}
