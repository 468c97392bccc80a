import fc from 'fast-check';
import type { Database, Transaction } from '../../../../../src/engine/db.ts';

const times = Number(process.env['GRANARY_MODEL_RUNS'] ?? 1);

/** How many games are played on each engine; GRANARY_MODEL_RUNS multiplies them. */
export const runs = { sqlite: 120 * times, postgres: 5 * times } as const;

/** A model and a server that are played the same commands. */
interface Game<Command> {
  play(command: Command): Promise<void>;
  /** Both have the same state. */
  check(): Promise<void>;
}

/** Plays random games, each in a transaction that is rolled back, and compares model and server after every command. */
export async function agreeing<Command>(
  database: Database,
  command: fc.Arbitrary<Command>,
  begin: (transaction: Transaction) => Game<Command>,
  numRuns: number,
): Promise<void> {
  const property = fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (steps) => {
    const transaction = await database.begin();
    try {
      const game = begin(transaction);
      for (const step of steps) {
        await game.play(step);
        await game.check();
      }
    } finally {
      await transaction.rollback();
    }
  });
  await fc.assert(property, { numRuns });
}
