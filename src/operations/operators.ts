import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { hostAndPort } from '../base/host-and-port.ts';
import type { Log } from '../base/log/log.ts';
import type { Measures } from '../base/log/measures.ts';
import { makeFolders, makePrivateFile } from '../base/private-files.ts';
import type { Service } from '../base/service.ts';
import { type Check, healthRoutes } from './health.ts';
import { HttpListener, type Pages } from './http-listener.ts';
import { metricsRoute } from './metrics.ts';
import { type StatusSources, statusRoute } from './status.ts';
import { Throughput } from './throughput.ts';

interface OperatorsOptions extends Omit<StatusSources, 'perSecond'> {
  readonly host: string;
  readonly port: number | 'auto';
  /** The certificate, if the address can be reached from other machines. */
  readonly tls?: SecureContextOptions;
  /** True where requests may bring tickets of Windows users in their headers. */
  readonly longHeaders: boolean;
  /** Where the address and the token lie for the commands on this machine. */
  readonly folder: string;
  readonly measures: Measures;
  /** The names of all databases there are, SQL Server's and Granary's own among them. */
  databases(): Promise<ReadonlySet<string>>;
  readonly log: Log;
  /** The console, if there is one. */
  readonly console?: Pages;
  checks(): Promise<readonly Check[]>;
}

/** The file in the data folder that leads `granary status` to the server. */
export const whereFile = 'http.json';

/** What is in that file. */
export interface Where {
  readonly url: string;
  readonly token: string;
}

/** A running server as operators see it: the listener, and what it shows. */
export class Operators implements Service {
  readonly #options: OperatorsOptions;
  readonly #listener: HttpListener;
  readonly #throughput: Throughput;
  readonly #token = randomBytes(32).toString('base64url');
  #told: string | undefined;

  constructor(options: OperatorsOptions) {
    this.#options = options;
    const { calls, checks, measures } = options;
    this.#throughput = new Throughput(() => calls.all().reduce((sum, { kept }) => sum + kept.count, 0));
    const perSecond = () => this.#throughput.perSecond;
    const metrics = metricsRoute(measures, () => options.databases());
    const routes = [...healthRoutes(checks), metrics, statusRoute({ ...options, perSecond })];
    this.#listener = new HttpListener({ ...options, routes, token: this.#token });
  }

  /** Where it listens: `127.0.0.1:8433`. */
  get address(): string {
    const { host } = this.#options;
    return hostAndPort(host, this.#listener.port);
  }

  /** Uses another certificate for new connections of browsers. */
  renew(tls: SecureContextOptions): void {
    this.#listener.renew(tls);
  }

  async start(): Promise<void> {
    await this.#listener.start();
    await this.#throughput.start();
  }

  /** Leaves the address and the token in the data folder, which a node on PostgreSQL may have no other need of. */
  async tellWhere(): Promise<void> {
    const url = `${this.#options.tls ? 'https' : 'http'}://${this.address}`;
    const where: Where = { url, token: this.#token };
    makeFolders(this.#options.folder);
    // Only its owner may read it: the token gives access to what is not public.
    makePrivateFile(this.#where);
    this.#told = `${JSON.stringify(where)}\n`;
    await writeFile(this.#where, this.#told);
  }

  async stop(): Promise<void> {
    await this.#throughput.stop();
    await this.#listener.stop();
    if (this.#told === undefined) return;
    // Nodes on one PostgreSQL may share a folder, which then names the last one that started.
    const isOwn = (await readFile(this.#where, 'utf8').catch(() => '')) === this.#told;
    // On a file system that became read-only it stays, which is found out: nothing answers there.
    if (isOwn) await rm(this.#where, { force: true }).catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  get #where(): string {
    return join(this.#options.folder, whereFile);
  }
}
