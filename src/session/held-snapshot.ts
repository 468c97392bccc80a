import type { Database, Snapshot } from '../engine/db.ts';
import type { IsolationLevel } from '../tsql/options.ts';
import type { Reader, ReaderGates, ReaderPatience } from './reader-gates.ts';

/** True where all reads of a client's transaction see the state that the first one saw. */
export const keepsSnapshot = (isolation: IsolationLevel): boolean =>
  isolation === 'repeatable read' || isolation === 'snapshot' || isolation === 'serializable';

/** Opens a snapshot for a client's transaction; among the database's readers the session counts as one until it ends. */
export function holdSnapshot(
  database: Database,
  serializable: boolean,
  gates: ReaderGates,
  reader: Reader,
  patience: ReaderPatience,
): Promise<Snapshot> {
  const { promise, resolve, reject } = Promise.withResolvers<Snapshot>();
  const until = async () => {
    const snapshot = await database.hold({ serializable, signal: patience.signal });
    const { promise: ended, resolve: leave } = Promise.withResolvers<void>();
    resolve({
      db: snapshot.db,
      async claim(options) {
        const transaction = await snapshot.claim(options);
        leave();
        return transaction;
      },
      async end() {
        leave();
        await snapshot.end();
      },
    });
    await ended;
  };
  gates.read(database, reader, patience, until).catch(reject);
  return promise;
}
