import type { Snapshot, Transaction, WriteOptions } from '../db.ts';
import { PostgresDb } from './db.ts';
import { claimGate } from './gate.ts';
import type { Link } from './link.ts';

/** A snapshot of PostgreSQL that may become a transaction on the same connection. */
export class PostgresSnapshot implements Snapshot {
  readonly db: PostgresDb;
  readonly #link: Link;
  readonly #become: (link: Link) => Transaction;
  readonly #giveBack: (link: Link) => void;
  #ended = false;

  constructor(link: Link, become: (link: Link) => Transaction, giveBack: (link: Link) => void) {
    this.#link = link;
    this.#become = become;
    this.#giveBack = giveBack;
    this.db = new PostgresDb(link, 'guarded');
  }

  async claim({ lockTimeout = -1, signal, who }: WriteOptions = {}): Promise<Transaction> {
    this.#link.serve([who]);
    try {
      await this.#link.begin(claimGate(lockTimeout < 0 ? undefined : lockTimeout), signal);
    } catch (error) {
      await this.#link.exec('rollback to claim; release claim');
      throw error;
    }
    this.#ended = true;
    this.db.end();
    return this.#become(this.#link);
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.db.end();
    await this.#link.rollback();
    this.#giveBack(this.#link);
  }
}
