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

const tenDays = 240 * 3_600_000;

forEachEngine((engine) => {
  forEachGame((protocol, game, sequence, runs) => {
    test(`${protocol}: random sequences of calls through a driver agree with a model`, async () => {
      const clock = new ManualClock();
      await using server = await startServer({ engine, clock, kinds: [game.kind] });
      const client = await server.connect(game.kind.firstDatabase);
      const property = fc.asyncProperty(sequence, async (commands) => {
        // Ten days later no count of the sequence before is in any window that is asked for: those reach back 54 hours.
        clock.advance(tenDays);
        await expireAll(game.kind, new DriverHost(client));
        const model = game.model(roundToDatetime(clock.now()));
        const table: Table = { host: new DriverHost(client), model, clock, kind: game.kind, family: game.family };
        for (const command of commands) await game.play(table, command);
      });
      await fc.assert(property, runs(engine === 'sqlite' ? 40 : 15));
    });
  });
});
