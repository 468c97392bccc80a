import { closeSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SqlError } from '../../src/base/messages/sql-error.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { granary, type RunningServer } from '../cli/granary.ts';
import { until } from '../robustness/support/until.ts';
import { isClear } from './disks.ts';
import { connect } from './load.ts';
import type { Place } from './place.ts';

const file = 'translationservices.db';

const flipped = 'bytes that were flipped';

type Harm = (path: string, place: Place) => void;

const harms: Readonly<Record<string, Harm>> = {
  'a file of 0 bytes': (path) => truncateSync(path, 0),
  'a file that is gone': (path) => rmSync(path),
  'a file that is cut off': (path, { chance }) => truncateSync(path, 1 + chance.below(statSync(path).size - 1)),
  [flipped]: (path, { chance }) => flip(path, chance.below(statSync(path).size)),
};

function flip(path: string, at: number): void {
  const descriptor = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, at);
  writeSync(descriptor, Buffer.of((byte[0] ?? 0) ^ 0xff), 0, 1, at);
  closeSync(descriptor);
}

/** Loses files of a server that was killed under load: what was acknowledged is served, or it is refused clearly. */
export async function lostFiles(place: Place, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const server = await place.start();
    const load = await place.load(server, 100);
    await server.end('SIGKILL');
    await load.stop();
    const copy = place.beside({ copied: true });
    const lost = place.chance.pick([file, `${file}-wal`, `${file}-shm`, 'granary.db', 'granary.db-wal', 'tls', 'lock']);
    rmSync(join(copy, lost), { recursive: true, force: true });
    place.count(`without ${lost}: ${await served(place, copy, `without ${lost}`)}`);
    rmSync(copy, { recursive: true });
  }
}

/** Files that may only be read, under load and at a start: calls that write are refused clearly, and nothing is lost. */
export async function readOnlyFiles(place: Place): Promise<void> {
  const server = await place.start();
  const load = await place.load(server, 50);
  place.shim.set('readOnly', 1);
  place.shim.set('writeError', constants.errno.EROFS);
  await until('calls are refused or the server ends', () => server.child.exitCode !== null || load.refused > 20);
  place.count(server.child.exitCode === null ? 'served on' : `ended with ${server.child.exitCode}`);
  await server.end('SIGKILL');
  await load.stop();
  for (const number of place.ledger.errors.keys())
    if (number !== 3906 && !isClear(new SqlError(number, ''))) place.complain(`a read-only file was error ${number}`);
  place.count(`without writing: ${await served(place, place.data, 'files that are read-only')}`);
  place.shim.set('readOnly', 0);
  place.shim.set('writeError', 0);
  await place.judge(place.data, 'read-only files');
  const next = await place.start();
  await (await place.load(next, 20)).stop();
  await next.end('SIGKILL');
  await place.judge(place.data, 'read-only files and a new start');
}

/** Damages the file of a database between two starts: what was acknowledged is served, or the database is refused clearly. */
export async function damagedFiles(place: Place, rounds: number): Promise<void> {
  const server = await place.start();
  await (await place.load(server, 300)).stop();
  const before = await jobsOf(server);
  await server.end('SIGTERM');
  for (let round = 0; round < rounds; round++) {
    // A flipped byte is what is hardest to see.
    const name = round % 2 === 0 ? flipped : place.chance.pick(Object.keys(harms));
    const copy = place.beside({ copied: true });
    harms[name]?.(join(copy, file), place);
    place.count(`${name}: ${await served(place, copy, name, before)}`);
    rmSync(copy, { recursive: true });
  }
}

type Jobs = Awaited<ReturnType<typeof jobsOf>>;

async function jobsOf({ port }: RunningServer) {
  await using client = await connect(port);
  return (await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false })).sets.ResultSet0;
}

/** What became of a server on harmed data; `before` are the jobs as they were, each value of them. */
async function served(place: Place, data: string, harm: string, before?: Jobs): Promise<string> {
  let hurt: RunningServer;
  try {
    hurt = await place.start(data);
  } catch (error) {
    if (!/granary: .+/.test(String(error))) place.complain(`${harm}: a start that was not explained: ${error}`);
    return 'refused at start';
  }
  try {
    const jobs = await jobsOf(hurt);
    const there = new Set(jobs.map(({ JobId }) => JobId));
    const isWhole = place.ledger.acknowledged.isSubsetOf(there);
    if (before !== undefined && isWhole && !isDeepStrictEqual(jobs, before))
      place.complain(`${harm}: a wrong answer was served`);
    if (isWhole) return 'did no harm';
    const check = await granary(['check', '--data', data]);
    if (check.code !== 1) place.complain(`${harm}: jobs are missing, and granary check says ${check.code}`);
    return 'found by granary check';
  } catch (error) {
    if (!isClear(error)) place.complain(`${harm}: ${error}`);
    return 'refused at login or call';
  } finally {
    await hurt.end('SIGKILL');
  }
}
