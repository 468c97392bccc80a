import { setTimeout as delay } from 'node:timers/promises';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { granary, type RunningServer, serve } from '../cli/granary.ts';
import { PostgresProcess } from '../cluster/support/postgres-process.ts';
import { until } from '../robustness/support/until.ts';
import { connect, Load, password, patience, twin } from './load.ts';
import type { Place } from './place.ts';

/** What callers may hear of a PostgreSQL that is away or a node that was in the way: numbers that drivers try again. */
const tryAgain: ReadonlySet<number> = new Set([40613, 40197, 1205]);

const environmentOf = (store: PostgresProcess) => ({
  GRANARY_SA_PASSWORD: password,
  GRANARY_ENGINE: store.url(),
});

const startNode = (place: Place, store: PostgresProcess, name: string): Promise<RunningServer> =>
  serve(['--data', `${place.folder}/${name}`, '--log-level', 'error'], { environment: environmentOf(store) });

async function goesOn(load: Load, what: string, by = 20): Promise<void> {
  const before = load.count;
  await until(what, () => load.count > before + by, patience);
}

/** Freezes one of two nodes on one PostgreSQL under load, and then the server itself: the others go on, and nothing is lost. */
export async function frozenNodes(place: Place, rounds: number): Promise<void> {
  await using store = await PostgresProcess.make();
  await store.start();
  await using one = await startNode(place, store, 'one');
  await using two = await startNode(place, store, 'two');
  const first = new Load(one.port, place.ledger, 4);
  const second = new Load(two.port, place.ledger, 4);
  for (let round = 0; round < rounds; round++) {
    await goesOn(first, 'the first node works');
    await goesOn(second, 'the second node works');
    one.child.kill('SIGSTOP');
    const start = performance.now();
    await goesOn(second, 'the second node works beside a frozen one');
    place.count('milliseconds waited beside frozen nodes', Math.round(performance.now() - start));
    one.child.kill('SIGCONT');
    await goesOn(first, 'the node that was frozen works again');
    store.freeze();
    await delay(place.chance.below(3000));
    store.thaw();
    await goesOn(first, 'the nodes work after the server was frozen');
    place.count('rounds');
  }
  await Promise.all([first.stop(), second.stop()]);
  await judgeNodes(place, two, 'frozen nodes');
}

/** Kills one of two nodes on one PostgreSQL under load: the other goes on, the killed one starts again, and nothing is lost. */
export async function killedNodes(place: Place, rounds: number): Promise<void> {
  await using store = await PostgresProcess.make();
  await store.start();
  await using survivor = await startNode(place, store, 'survivor');
  const beside = new Load(survivor.port, place.ledger, 4);
  for (let round = 0; round < rounds; round++) {
    await using node = await startNode(place, store, 'killed');
    const load = await place.load(node, 1 + place.chance.below(200));
    await delay(place.chance.below(50));
    await node.end('SIGKILL');
    await load.stop();
    place.count('kills');
    await goesOn(beside, 'the other node goes on');
    await judgeNodes(place, survivor, `kill ${round} of a node`);
  }
  await beside.stop();
  await judgeStore(place, store);
}

/** Kills PostgreSQL under the load of two nodes, or stops it in haste, and starts it again: calls go on, and nothing is lost. */
export async function killedPostgres(place: Place, rounds: number): Promise<void> {
  await using store = await PostgresProcess.make();
  await store.start();
  await using one = await startNode(place, store, 'one');
  await using two = await startNode(place, store, 'two');
  const loads = [one, two].map(({ port }) => new Load(port, place.ledger, 4));
  for (let round = 0; round < rounds; round++) {
    for (const load of loads) await goesOn(load, 'the nodes work', place.chance.below(100));
    await delay(place.chance.below(50));
    const way = place.chance.pick(['kill', 'stop'] as const);
    await store[way]();
    place.count(way === 'kill' ? 'kills of PostgreSQL' : 'stops of PostgreSQL');
    await delay(place.chance.below(500));
    await store.start();
    const start = performance.now();
    for (const load of loads) await goesOn(load, 'calls go on');
    const waited = performance.now() - start;
    if (waited > 10_000) place.complain(`calls went on only ${Math.round(waited)} ms after PostgreSQL was there`);
    await judgeNodes(place, two, `${way} ${round} of PostgreSQL`);
  }
  await Promise.all(loads.map((load) => load.stop()));
  await judgeStore(place, store);
}

/** Complains of what a server on PostgreSQL lacks, and of errors that drivers do not try again. */
async function judgeNodes(place: Place, { port }: RunningServer, after: string): Promise<void> {
  const acknowledged = [...place.ledger.acknowledged];
  await using client = await connect(port);
  const { sets } = await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false });
  const there = new Set(sets.ResultSet0.map(({ JobId }) => JobId));
  const lost = acknowledged.filter((id) => !there.has(id));
  place.count('checks');
  if (lost.length > 0) place.complain(`after ${after}: ${lost.length} acknowledged jobs are gone, such as ${lost[0]}`);
  const halves = [...there].filter((id) => id > twin && !there.has(id - twin));
  if (halves.length > 0) place.complain(`after ${after}: ${halves.length} transactions are there by half`);
  for (const number of place.ledger.errors.keys())
    if (!tryAgain.has(number)) place.complain(`after ${after}: a call ended in error ${number}`);
}

/** Complains of what `granary check` finds in it. */
async function judgeStore(place: Place, store: PostgresProcess): Promise<void> {
  const { code, stdout, stderr } = await granary(['check', '--data', `${place.folder}/check`], {
    environment: environmentOf(store),
  });
  if (code !== 0) place.complain(`granary check ended with ${code}: ${stdout}${stderr}`);
}
