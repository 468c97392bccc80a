import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Chance } from './chance.ts';
import { diskErrors, jumpingClock, noRoom, slowSync } from './disks.ts';
import { drops } from './drops.ts';
import { damagedFiles, lostFiles, readOnlyFiles } from './files.ts';
import { firstStarts } from './first-starts.ts';
import { kills, powerCuts } from './kills.ts';
import { frozenNodes, killedNodes, killedPostgres } from './nodes.ts';
import { type Outcome, Place } from './place.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    fault: { type: 'string', multiple: true },
    help: { type: 'boolean', default: false },
  },
});

const rounds = Number(values.rounds);

/** Every fault of the campaign, each on data of its own. */
const faults: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  kills: (place) => kills(place, rounds),
  'power-cuts': (place) => powerCuts(place, rounds * 10),
  'first-starts': (place) => firstStarts(place, rounds * 5),
  'full-disk': noRoom('ENOSPC'),
  'full-quota': noRoom('EDQUOT'),
  'write-errors': diskErrors('writeError'),
  'read-errors': diskErrors('readError'),
  'failing-syncs': diskErrors('syncError'),
  'slow-syncs': slowSync,
  clocks: jumpingClock,
  'damaged-files': (place) => damagedFiles(place, rounds * 2),
  'lost-files': (place) => lostFiles(place, rounds * 2),
  'read-only-files': readOnlyFiles,
  drops: (place) => drops(place, rounds * 2),
  'frozen-nodes': (place) => frozenNodes(place, rounds),
  'killed-nodes': (place) => killedNodes(place, rounds),
  'killed-postgres': (place) => killedPostgres(place, rounds),
};

const help = `npm run faults -- [--seed N] [--rounds N] [--fault NAME]…

Hurts servers under load and looks whether all that was acknowledged is there, what was not is whole or absent, and the
messages say what is wrong. It needs a C compiler (cc). The same seed makes the same choices; what the machine does in between
is its own. Faults: ${Object.keys(faults).join(', ')}. The last three, and half of the drops, are on a
PostgreSQL of their own; one that fails over is in test/cluster.`;

async function campaign(): Promise<number> {
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  console.log(`seed ${seed}`);
  let complaints = 0;
  for (const name of values.fault ?? Object.keys(faults)) {
    const fault = faults[name];
    if (fault === undefined) throw new Error(`There is no fault ${name}. ${help}`);
    const outcome: Outcome = { counts: new Map(), complaints: [] };
    const began = performance.now();
    {
      await using place = new Place(new Chance(seed), outcome);
      await fault(place).catch((error: unknown) => outcome.complaints.push(String(error)));
    }
    const figures = [...outcome.counts].map(([what, count]) => `${what} ${count}`).join(', ');
    console.log(`${name}: ${figures} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    for (const text of outcome.complaints) console.log(`  WRONG ${text}`);
    complaints += outcome.complaints.length;
  }
  console.log(complaints === 0 ? 'nothing was wrong' : `${complaints} complaints; seed ${seed}`);
  return complaints === 0 ? 0 : 1;
}

if (values.help) console.log(help);
else process.exitCode = await campaign();
