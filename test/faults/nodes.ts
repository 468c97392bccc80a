import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { serve } from '../cli/granary.ts';
import { PostgresProcess } from '../cluster/support/postgres-process.ts';
import { until } from '../robustness/support/until.ts';
import { connect, Load, password, twin } from './load.ts';
import type { Place } from './place.ts';

/** Freezes one of two nodes on one PostgreSQL under load, and then the server itself: the others go on, and nothing is lost. */
export async function frozenNodes(place: Place, rounds: number): Promise<void> {
  await using store = await PostgresProcess.make();
  await store.start();
  const environment = { GRANARY_SA_PASSWORD: password, GRANARY_ENGINE: store.url() };
  const node = (name: string) => serve(['--data', `${place.folder}/${name}`, '--log-level', 'error'], { environment });
  await using one = await node('one');
  await using two = await node('two');
  const loads = [one, two].map(({ port }) => new Load(port, place.ledger, 4));
  const [first, second] = loads;
  if (first === undefined || second === undefined) return;
  const goesOn = async (load: Load, what: string) => {
    const before = load.count;
    await until(what, () => load.count > before + 20);
  };
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
    await new Promise((resolve) => setTimeout(resolve, place.chance.below(3000)));
    store.thaw();
    await goesOn(first, 'the nodes work after the server was frozen');
    place.count('rounds');
  }
  await Promise.all(loads.map((load) => load.stop()));
  for (const number of place.ledger.errors.keys())
    if (![40613, 40197, 1205].includes(number)) place.complain(`a frozen node was error ${number}`);
  await using client = await connect(two.port);
  const { sets } = await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false });
  const there = new Set(sets.ResultSet0.map(({ JobId }) => JobId));
  const lost = [...place.ledger.acknowledged].filter((id) => !there.has(id));
  if (lost.length > 0) place.complain(`${lost.length} acknowledged jobs are gone, such as ${lost[0]}`);
  const halves = [...there].filter((id) => id > twin && !there.has(id - twin));
  if (halves.length > 0) place.complain(`${halves.length} transactions are there by half`);
}
