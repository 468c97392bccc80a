import { SqlError } from '../../src/base/messages/sql-error.ts';
import { Client } from '../../src/client/client.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';

/** The password of sa. */
export const password = 'Correct-Horse-7';

/** The database that is written to, and one that is only read. */
export const database = 'TranslationServices';
export const otherDatabase = 'SharePoint_Config';

/** What is added to the number of a job to have the number of its twin. */
export const twin = 1_000_000_000n;

/** Milliseconds in which what must happen happens, also on a machine that has other things to do. */
export const patience = 300_000;

export const connect = (port: number, to = database): Promise<Client> =>
  Client.connect({
    host: '127.0.0.1',
    port,
    user: 'sa',
    password,
    database: to,
    encryption: 'off',
    connectTimeout: patience,
  });

const job = (JobId: bigint) => ({ JobId, UserToken: Buffer.of(1), Settings: 'as they are' });

/** What was acknowledged of all servers of one place. */
export class Ledger {
  readonly acknowledged = new Set<bigint>();
  /** Errors of SQL by their numbers. */
  readonly errors = new Map<number, number>();
  next = 1n;
}

/** Callers that add jobs, some alone and some with a twin in one transaction, until they are stopped or the server is gone. */
export class Load {
  readonly #ledger: Ledger;
  readonly #callers: Promise<void>[];
  #ended = false;
  count = 0;
  /** Calls that ended in an error. */
  refused = 0;

  constructor(port: number, ledger: Ledger, callers: number) {
    this.#ledger = ledger;
    this.#callers = Array.from({ length: callers }, (_, i) => this.#run(port, i % 4 === 3));
  }

  async #run(port: number, twins: boolean): Promise<void> {
    try {
      await using client = await connect(port);
      while (!this.#ended) await this.#call(client, twins);
    } catch (error) {
      if (!/connection|ECONN|EPIPE|timed out|ended the transaction/i.test(String(error))) throw error;
    }
  }

  async #call(client: Client, twins: boolean): Promise<void> {
    const id = this.#ledger.next++;
    try {
      if (twins) {
        await client.transaction(async (own) => {
          await own.call(addJob, job(id));
          await own.call(addJob, job(id + twin));
        });
      } else await client.call(addJob, job(id));
      this.#ledger.acknowledged.add(id);
      if (twins) this.#ledger.acknowledged.add(id + twin);
      this.count++;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      this.refused++;
      this.#ledger.errors.set(error.number, (this.#ledger.errors.get(error.number) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Resolves when the callers have ended: they were stopped, or the server is gone. */
  async stop(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#callers);
  }
}
