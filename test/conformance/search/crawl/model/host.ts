import type { Transaction } from '../../../../../src/engine/db.ts';
import type { AnyProcedure } from '../../../../../src/procedure/declare.ts';

/** What a procedure replied, with all rows of its result sets. */
export interface Replied {
  readonly outcome: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly returns?: number;
  readonly sets: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** Calls procedures of one database inside one transaction, which is rolled back in the end. */
export class Host {
  protected readonly transaction: Transaction;
  readonly #kind: string;

  constructor(transaction: Transaction, kind: string) {
    this.transaction = transaction;
    this.#kind = kind;
  }

  /** What a procedure replied; what it is not given is NULL. */
  call(procedure: AnyProcedure, input: object, now = new Date(0)): Promise<Replied> {
    const all = { ...Object.fromEntries(Object.keys(procedure.params).map((name) => [name, null])), ...input };
    return this.transaction.run(async (db) => {
      const signal = new AbortController().signal;
      const call = { db, now, database: 'Database', kind: this.#kind, signal };
      const { sets = {}, output = {}, ...reply } = await procedure.handle(call as never, all, undefined);
      const gathered: Record<string, Record<string, unknown>[]> = {};
      for (const [name, rows] of Object.entries(sets)) gathered[name] = await Array.fromAsync(rows);
      return { ...reply, output, sets: gathered };
    });
  }
}
