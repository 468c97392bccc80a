import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Client } from '../../src/client/client.ts';
import { getFile } from '../../src/protocols/config/files/get-file.ts';
import { putFileSegment } from '../../src/protocols/config/files/put-file-segment.ts';
import { config } from '../../src/protocols/config/kind.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { timeOf } from '../support/load.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median } from '../support/statistics.ts';

const fileSize = 100 * 1024 ** 2;
/** Bytes that one call carries. */
const segmentSize = 4 * 1024 ** 2;
const rounds = 5;

const speed = (milliseconds: number): string => `${((fileSize / 1024 ** 2 / milliseconds) * 1000).toFixed(0)} MB/s`;

export const files: Scenario = {
  name: 'files',
  summary: 'A file of 100 MB goes in by segments and comes back as one image, against a bytea through node-postgres.',
  async run({ progress, profiles, engine }) {
    await using server = await BenchServer.start({ profiles, engine });
    await using peer = await startPeer();
    const client = await server.connect(config.firstDatabase);
    const bytes = randomBytes(fileSize);
    const times = { put: [] as number[], get: [] as number[], theirPut: [] as number[], theirGet: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      const ObjectId = randomUUID();
      const put = await timeOf(() => putFile(client, ObjectId, bytes));
      const theirPut = await timeOf(() => peer.put(bytes));
      const get = await timeOf(() => readFile(client, ObjectId));
      const theirGet = await timeOf(() => peer.get());
      progress(`put ${speed(put)} and ${speed(theirPut)}, get ${speed(get)} and ${speed(theirGet)}`);
      if (round === 0) continue;
      times.put.push(put);
      times.theirPut.push(theirPut);
      times.get.push(get);
      times.theirGet.push(theirGet);
    }
    const finding = (what: string, ours: number, theirs: number) =>
      ({
        what,
        figure: speed(ours),
        against: speed(theirs),
        value: theirs / ours,
        unit: 'times',
        demand: { atLeast: 0.5 },
      }) as const;
    return [
      finding('put', median(times.put), median(times.theirPut)),
      finding('get', median(times.get), median(times.theirGet)),
    ];
  },
};

async function putFile(client: Client, ObjectId: string, bytes: Buffer): Promise<void> {
  for (let Offset = 0; Offset < bytes.length; Offset += segmentSize) {
    const Bytes = bytes.subarray(Offset, Offset + segmentSize);
    const { outcome } = await client.call(putFileSegment, { ObjectId, Bytes, Offset });
    if (outcome !== 'written') throw new Error(`the segment at ${Offset} was not written`);
  }
}

async function readFile(client: Client, ObjectId: string): Promise<void> {
  const { sets } = await client.call(getFile, { ObjectId });
  const length = sets.File[0]?.FileImage?.length;
  if (length !== fileSize) throw new Error(`the file came back with ${length} bytes`);
}

interface Peer extends AsyncDisposable {
  put(bytes: Buffer): Promise<void>;
  get(): Promise<void>;
}

async function startPeer(): Promise<Peer> {
  const server = await startPostgres({ fsync: true });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('create table files (id bigint generated always as identity primary key, bytes bytea)');
  let id: unknown;
  return {
    async put(bytes) {
      const { rows } = await client.query('insert into files (bytes) values ($1) returning id', [bytes]);
      id = rows[0].id;
    },
    async get() {
      const { rows } = await client.query('select bytes from files where id = $1', [id]);
      if (rows[0].bytes.length !== fileSize) throw new Error('the file came back with another length');
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await server.stop();
    },
  };
}
