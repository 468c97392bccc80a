import { randomBytes, randomUUID } from 'node:crypto';
import type { ClientConnection } from '../../src/client/connection.ts';
import { getFile } from '../../src/protocols/config/files/get-file.ts';
import { putFileSegment } from '../../src/protocols/config/files/put-file-segment.ts';
import { config } from '../../src/protocols/config/kind.ts';
import { callUnread } from '../support/calls.ts';
import { growthWhile } from '../support/memory-watch.ts';
import type { Finding, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { megabytes } from '../support/statistics.ts';

const fileSize = 1024 ** 3;
/** Bytes that one call carries. */
const segmentSize = 4 * 1024 ** 2;

export const fileStream: Scenario = {
  name: 'file-stream',
  summary: 'How much memory a server takes while a file of 1 GB goes in by segments of 4 MB and out as one image.',
  isLarge: true,
  async run({ progress, profiles, engine }) {
    await using server = await BenchServer.start({ profiles, engine });
    const connection = await server.open(config.firstDatabase);
    const ObjectId = randomUUID();
    const segment = randomBytes(segmentSize);
    // A small file first: what a server takes for its first call is not the large file's doing.
    await callUnread(connection, putFileSegment, { ObjectId, Bytes: Buffer.alloc(1000), Offset: 0 });
    await callUnread(connection, getFile, { ObjectId });
    const before = server.memory();
    const findings: Finding[] = [];
    for (const [what, stream] of Object.entries({ in: put, out: get })) {
      const growth = await growthWhile(server, before, () => stream(connection, ObjectId, segment));
      progress(`${what}: ${megabytes(before)} and ${megabytes(growth)} more`);
      findings.push({
        what: `growth while it streams ${what}`,
        figure: megabytes(before + growth),
        against: megabytes(before),
        value: growth / 1024 ** 2,
        unit: 'MB',
        demand: { atMost: 64 },
      });
    }
    return findings;
  },
};

async function put(connection: ClientConnection, ObjectId: string, Bytes: Buffer): Promise<void> {
  for (let Offset = 0; Offset < fileSize; Offset += segmentSize)
    await callUnread(connection, putFileSegment, { ObjectId, Bytes, Offset });
}

async function get(connection: ClientConnection, ObjectId: string): Promise<void> {
  await callUnread(connection, getFile, { ObjectId });
}
