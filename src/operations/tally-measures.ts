import { keptFor } from '../base/kept-for.ts';
import type { Measures, Sample } from '../base/log/measures.ts';
import type { Engine } from '../engine/engine.ts';
import type { Kind, Tally } from '../procedure/kind.ts';

/** Milliseconds that counts of rows are kept for. */
const countsKept = 3_000;

/** Databases that are counted in; what a look costs must not grow with their number. */
const mostDatabases = 50;

const shape = { state: { fromStore: String }, count: { fromStore: Number } };

/** What kinds of databases count by state: jobs, crawls. */
export function measureTallies(measures: Measures, engine: Pick<Engine, 'list' | 'open'>, kinds: readonly Kind[]) {
  const named = new Map(kinds.flatMap(({ tallies = [] }) => tallies.map((tally) => [tally.name, tally] as const)));
  for (const { name, help } of named.values()) {
    const samples = keptFor(countsKept, async () => {
      const listed = (await engine.list()).slice(0, mostDatabases);
      const counted = listed.map(async (database) => {
        const tally = kinds.find((kind) => kind.name === database.kind)?.tallies?.find((each) => each.name === name);
        return tally === undefined ? [] : counts(engine, database.name, tally);
      });
      return (await Promise.all(counted)).flat();
    });
    measures.gauge(`granary_${name}`, help, async () =>
      (await samples()).map(({ labels: { database = '', ...labels }, value }) => ({
        labels: { database: measures.databases.of(database), ...labels },
        value,
      })),
    );
  }
}

/** The objects of a database by state; none if it cannot be opened, which the figure of suspects shows. */
async function counts(engine: Pick<Engine, 'open'>, database: string, tally: Tally): Promise<Sample[]> {
  const opened = await engine.open(database).catch(() => undefined);
  const rows = (await opened?.read((db) => db.all(shape, tally.counts))) ?? [];
  return rows.map(({ state, count }) => ({ labels: { database, state }, value: count }));
}
