import { closeSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { granary, type RunningServer } from '../cli/granary.ts';
import { isClear } from './disks.ts';
import { connect } from './load.ts';
import type { Place } from './place.ts';

const file = 'translationservices.db';

type Harm = (path: string, place: Place) => void;

const harms: Readonly<Record<string, Harm>> = {
  'a file of 0 bytes': (path) => truncateSync(path, 0),
  'a file that is gone': (path) => rmSync(path),
  'a file that is cut off': (path, { chance }) => truncateSync(path, 1 + chance.below(statSync(path).size - 1)),
  'bytes that were flipped': (path, { chance }) => flip(path, chance.below(statSync(path).size)),
};

function flip(path: string, at: number): void {
  const descriptor = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, at);
  writeSync(descriptor, Buffer.of((byte[0] ?? 0) ^ 0xff), 0, 1, at);
  closeSync(descriptor);
}

/** Damages the file of a database between two starts: what was acknowledged is served, or the database is refused clearly. */
export async function damagedFiles(place: Place, rounds: number): Promise<void> {
  const server = await place.start();
  await (await place.load(server, 300)).stop();
  await server.end('SIGTERM');
  for (let round = 0; round < rounds; round++) {
    const name = place.chance.pick(Object.keys(harms));
    const copy = place.beside({ copied: true });
    harms[name]?.(join(copy, file), place);
    place.count(`${name}: ${await served(place, copy, name)}`);
    rmSync(copy, { recursive: true });
  }
}

async function served(place: Place, data: string, harm: string): Promise<string> {
  let hurt: RunningServer;
  try {
    hurt = await place.start(data);
  } catch (error) {
    if (!/granary: .+/.test(String(error))) place.complain(`${harm}: a start that was not explained: ${error}`);
    return 'refused at start';
  }
  try {
    await using client = await connect(hurt.port);
    const { sets } = await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false });
    const there = new Set(sets.ResultSet0.map(({ JobId }) => JobId));
    const isWhole = place.ledger.acknowledged.isSubsetOf(there);
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
