import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../../src/base/clock.ts';
import type { Transaction } from '../../../src/engine/db.ts';
import { roundToDatetime } from '../../../src/tds/types/index.ts';
import { type EngineName, openEngine } from '../../support/engines.ts';
import { forEachGame } from './games.ts';
import { InProcessHost } from './hosts.ts';
import type { Game, Table } from './play.ts';
import { checkState } from './stored-state.ts';

describe('the job protocols against a model', () => {
  forEachGame((protocol, game, sequence, runs) => {
    test(`${protocol}: 150 random sequences of calls agree with a model, state for state, on SQLite`, () =>
      inProcess('sqlite', game, sequence, runs(150)));
    test(`${protocol}: 25 random sequences of calls agree with a model, state for state, on PostgreSQL`, () =>
      inProcess('postgres', game, sequence, runs(25)));
  });
});

async function inProcess<Command>(
  engine: EngineName,
  game: Game<Command>,
  sequence: fc.Arbitrary<Command[]>,
  runs: fc.Parameters<[Command[]]>,
): Promise<void> {
  const clock = new ManualClock();
  await using storage = await openEngine(engine, { schemas: [game.kind.schema], clock });
  const database = await storage.create('Jobs', game.kind.name);
  const property = fc.asyncProperty(sequence, async (commands) => {
    const transaction = await database.begin();
    try {
      await playAll(game, clock, transaction, commands);
    } finally {
      await transaction.rollback();
    }
  });
  await fc.assert(property, runs);
}

async function playAll<Command>(
  game: Game<Command>,
  clock: ManualClock,
  transaction: Transaction,
  commands: readonly Command[],
): Promise<void> {
  clock.set('2024-01-15T10:30:00.000Z');
  const model = game.model(roundToDatetime(clock.now()));
  const host = new InProcessHost(transaction, clock);
  const upkeep = async () => {
    for (const work of game.kind.upkeep ?? []) {
      while (await transaction.run((db) => work.step(db, clock.now())));
    }
  };
  const table: Table = { host, model, clock, kind: game.kind, family: game.family, upkeep };
  for (const command of commands) {
    await game.play(table, command);
    await transaction.run((db) => checkState(db, model));
  }
}
