import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../../src/base/clock.ts';
import { roundToDatetime } from '../../../src/tds/types/index.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer } from '../../support/server.ts';
import { expireAll } from './fixture.ts';
import { forEachGame } from './games.ts';
import { DriverHost } from './hosts.ts';
import type { Table } from './play.ts';

const twoDays = 48 * 3_600_000;

forEachEngine((engine) => {
  forEachGame((protocol, game, sequence, runs) => {
    test(`${protocol}: random sequences of calls through a driver agree with a model`, async () => {
      const clock = new ManualClock();
      await using server = await startServer({ engine, clock, kinds: [game.kind] });
      const client = await server.connect(game.kind.firstDatabase);
      const property = fc.asyncProperty(sequence, async (commands) => {
        // Two days later no count of the sequence before is in a window any more.
        clock.advance(twoDays);
        await expireAll(game.kind, new DriverHost(client));
        const model = game.model(roundToDatetime(clock.now()));
        const table: Table = { host: new DriverHost(client), model, clock, kind: game.kind, family: game.family };
        for (const command of commands) await game.play(table, command);
      });
      await fc.assert(property, runs(engine === 'sqlite' ? 40 : 15));
    });
  });
});
