import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, serve } from '../cli/granary.ts';
import { until } from '../robustness/support/until.ts';
import type { Chance } from './chance.ts';
import { Ledger, Load, password, patience } from './load.ts';
import { Shim } from './shim.ts';
import { wrongIn } from './verdict.ts';

/** What came of a fault: how much was tried, and what went wrong. */
export interface Outcome {
  /** Figures by name. */
  readonly counts: Map<string, number>;
  readonly complaints: string[];
}

/** A folder of data under a shim, with a server that is started, hurt and started again. */
export class Place implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'granary-faults-'));
  readonly data = join(this.folder, 'data');
  readonly shim: Shim;
  readonly ledger = new Ledger();
  readonly chance: Chance;
  readonly outcome: Outcome;
  #copies = 0;
  /** Those that run: a fault that ends in the middle leaves none behind. */
  readonly #servers = new Set<RunningServer>();

  constructor(chance: Chance, outcome: Outcome) {
    mkdirSync(this.data);
    this.chance = chance;
    this.outcome = outcome;
    this.shim = new Shim(this.folder, this.data);
  }

  async start(data: string = this.data): Promise<RunningServer> {
    const args = ['--data', data, '--log-level', 'error'];
    const server = await serve(args, { environment: { GRANARY_SA_PASSWORD: password, ...this.shim.environment } });
    this.#servers.add(server);
    server.child.once('exit', () => this.#servers.delete(server));
    return server;
  }

  /** Runs callers until so many calls were acknowledged. */
  async load(server: RunningServer, calls: number, callers = 8): Promise<Load> {
    const load = new Load(server.port, this.ledger, callers);
    await until(`${calls} calls are acknowledged`, () => load.count >= calls, patience);
    return load;
  }

  /** A folder beside the data, with a copy of it or empty. */
  beside({ copied = false } = {}): string {
    const folder = join(this.folder, `copy-${this.#copies++}`);
    if (copied) cpSync(this.data, folder, { recursive: true });
    return folder;
  }

  count(what: string, by = 1): void {
    this.outcome.counts.set(what, (this.outcome.counts.get(what) ?? 0) + by);
  }

  complain(text: string): void {
    this.outcome.complaints.push(text);
  }

  /** Complains of what a folder lacks. */
  async judge(folder: string, after: string): Promise<void> {
    const wrong = await wrongIn(folder, this.ledger).catch((error: unknown) => [String(error)]);
    this.count('checks');
    for (const text of wrong) this.complain(`after ${after}: ${text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.count('acknowledged', this.ledger.acknowledged.size);
    for (const server of this.#servers) await server.end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
