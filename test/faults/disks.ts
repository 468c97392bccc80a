import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { SqlError } from '../../src/base/messages/sql-error.ts';
import { until } from '../robustness/support/until.ts';
import { connect, otherDatabase } from './load.ts';
import type { Place } from './place.ts';
import type { Fault } from './shim.ts';

const { EIO } = constants.errno;

/** Numbers that say what is wrong: no room, no access to a file, a file that is damaged. */
const clear: ReadonlySet<number> = new Set([9002, 1105, 823, 824, 926, 945]);

/** What says that there is no room. */
const full: ReadonlySet<number> = new Set([9002, 1105]);

/** A disk or a quota that is full for a while: calls are refused with a clear number, and go on when there is room again. */
export const noRoom = (error: 'ENOSPC' | 'EDQUOT') => async (place: Place) => {
  const server = await place.start();
  const load = await place.load(server, 50);
  place.shim.set('writeError', constants.errno[error]);
  await until('calls are refused', () => [...place.ledger.errors.values()].reduce((sum, n) => sum + n, 0) > 20);
  place.shim.set('writeError', 0);
  const before = load.count;
  await until('calls go on', () => load.count > before + 50);
  await load.stop();
  place.count('calls refused', sum(place.ledger.errors.values()));
  for (const number of place.ledger.errors.keys())
    if (!full.has(number)) place.complain(`${error} was error ${number}`);
  await server.end('SIGKILL');
  await place.judge(place.data, error);
};

/** Errors of the disk under load: the server refuses, or ends with a code; after a new start all that was acknowledged is there. */
export const diskErrors = (fault: Fault) =>
  async function run(place: Place): Promise<void> {
    const server = await place.start();
    const load = await place.load(server, 50);
    place.shim.set(fault, EIO);
    const ended = await Promise.race([
      new Promise<number | null>((resolve) => server.child.once('exit', resolve)),
      delay(3000).then(() => 'serves' as const),
    ]);
    if (fault === 'syncError' && ended !== 74) place.complain(`a failing sync ended in ${ended}, not 74`);
    place.count(ended === 'serves' ? 'served on' : `ended with ${ended}`);
    place.shim.set(fault, 0);
    await server.end('SIGKILL');
    await load.stop();
    const { stderr } = server.output();
    if (ended !== 'serves' && !/^granary: /m.test(stderr)) place.complain(`${fault}: the end was not explained`);
    await place.judge(place.data, fault);
    const next = await place.start();
    await (await place.load(next, 20)).stop();
    await next.end('SIGKILL');
    await place.judge(place.data, `${fault} and a new start`);
  };

/** A sync that takes seconds: reads of other databases do not wait for it. */
export async function slowSync(place: Place): Promise<void> {
  const server = await place.start();
  await (await place.load(server, 50, 1)).stop();
  await using reader = await connect(server.port, otherDatabase);
  // After a rest the log has been copied, and the next commit starts it over.
  await delay(place.chance.below(2) * 2500);
  place.shim.set('syncDelay', 3000);
  const load = place.load(server, place.ledger.acknowledged.size === 0 ? 1 : 2, 1);
  let longest = 0;
  let isOver = false;
  const over = load.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const start = performance.now();
    await reader.query('select count(*) as n from Classes');
    longest = Math.max(longest, performance.now() - start);
    await delay(10);
  }
  await over;
  place.shim.set('syncDelay', 0);
  await (await load).stop();
  place.count('longest read beside a sync of 3000 ms, in ms', Math.round(longest));
  if (longest > 2000) place.complain(`a read of another database took ${Math.round(longest)} ms`);
  await server.end('SIGKILL');
  await place.judge(place.data, 'slow syncs');
}

/** A clock that jumps by an hour either way. */
export async function jumpingClock(place: Place): Promise<void> {
  const server = await place.start();
  const load = await place.load(server, 50);
  for (const offset of [3600, -3600, 0]) {
    place.shim.set('clockOffset', offset);
    const before = load.count;
    await until('calls go on', () => load.count > before + 50);
    place.count('jumps');
  }
  await load.stop();
  if (place.ledger.errors.size > 0) place.complain(`errors when the clock jumped: ${[...place.ledger.errors.keys()]}`);
  await server.end('SIGKILL');
  await place.judge(place.data, 'jumps of the clock');
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, n) => all + n, 0);

/** Whether an error says what is wrong. */
export const isClear = (error: unknown): boolean => error instanceof SqlError && clear.has(error.number);
