import type { Database, Snapshot, Transaction, WriteOptions } from '../../engine/db.ts';
import type { IsolationLevel } from '../../tsql/options.ts';
import type { Reader, ReaderGates, ReaderPatience } from './reader-gates.ts';

/** True for isolation levels in which all reads of a transaction see the same snapshot. */
export const keepsSnapshot = (isolation: IsolationLevel): boolean =>
  isolation === 'repeatable read' || isolation === 'snapshot' || isolation === 'serializable';

/** Opens a snapshot for a client's transaction; the session occupies a reader slot until it ends. */
export async function holdSnapshot(
  database: Database,
  serializable: boolean,
  gates: ReaderGates,
  reader: Reader,
  patience: ReaderPatience,
): Promise<Snapshot> {
  const { held: snapshot, leave } = await gates.hold(database, 'snapshot', reader, patience, () =>
    database.hold({ serializable, signal: patience.signal }),
  );
  return {
    db: snapshot.db,
    claim: async (options) => leaving(await snapshot.claim(options), leave),
    async end() {
      leave();
      await snapshot.end();
    },
  };
}

/** Begins a client's transaction in a database; the session occupies a transaction slot until it ends. */
export async function beginHeld(
  database: Database,
  gates: ReaderGates,
  reader: Reader,
  patience: ReaderPatience,
  options: WriteOptions,
): Promise<Transaction> {
  const { held, leave } = await gates.hold(database, 'transaction', reader, patience, () => database.begin(options));
  return leaving(held, leave);
}

/** The transaction, with a notification when it has ended. */
const leaving = (transaction: Transaction, leave: () => void): Transaction => ({
  db: transaction.db,
  run: (work, options) => transaction.run(work, options),
  save: (name) => transaction.save(name),
  rollbackTo: (name) => transaction.rollbackTo(name),
  commit: () => transaction.commit().finally(leave),
  rollback: () => transaction.rollback().finally(leave),
});
