import type { Snapshot, Transaction, WriteOptions } from '../../db.ts';
import { PostgresDb } from '../db.ts';
import { beginClaim } from '../locks/gate.ts';
import type { Link } from '../wire/link.ts';

/** A snapshot of PostgreSQL that may become a transaction on the same connection. */
export class PostgresSnapshot implements Snapshot {
  readonly db: PostgresDb;
  readonly #link: Link;
  readonly #become: (isSerial: boolean) => Transaction;
  readonly #giveBack: (link: Link) => void;
  readonly #awake: Disposable;
  #ended = false;

  constructor(link: Link, become: (isSerial: boolean) => Transaction, giveBack: (link: Link) => void) {
    this.#link = link;
    this.#become = become;
    this.#giveBack = giveBack;
    this.#awake = link.keepAwake();
    this.db = new PostgresDb(link, 'guarded');
  }

  async claim({ lockTimeout = -1, serial = false, signal, who }: WriteOptions = {}): Promise<Transaction> {
    this.#link.serve([who]);
    try {
      const limit = lockTimeout < 0 ? {} : { lockTimeout };
      await this.#link.begin(beginClaim({ serial, ...limit }), signal);
    } catch (error) {
      await this.#link.exec('rollback to claim; release claim');
      throw error;
    }
    this.#end();
    return this.#become(serial);
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#end();
    await this.#link.rollback();
    this.#giveBack(this.#link);
  }

  #end(): void {
    this.#ended = true;
    this.#awake[Symbol.dispose]();
    this.db.end();
  }
}
