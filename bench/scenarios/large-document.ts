import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { updateConversionBatch } from '../../src/protocols/translation/update-conversion-batch.ts';
import { batchUpdate, jobAdd } from '../../test/conformance/jobs/documents.ts';
import { timeOf } from '../support/load.ts';
import type { Finding, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { count, median, time } from '../support/statistics.ts';

const family = 'translation/2010/11';
const items = 100_000;
const rounds = 3;
const worker = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

/** How long a call took, and the longest that another session waited for an answer meanwhile. */
interface Measured {
  readonly took: number;
  readonly waited: number;
}

export const largeDocument: Scenario = {
  name: 'large-document',
  summary: `How long another session waits at most while a document of ${count(items)} items is read and its items are written.`,
  async run({ progress, profiles, engine }) {
    await using server = await BenchServer.start({ profiles, engine });
    const client = await server.connect(translation.firstDatabase);
    const other = await server.connect(translation.firstDatabase);
    const figures = { added: [] as Measured[], started: [] as Measured[], failed: [] as Measured[] };
    for (let round = 0; round <= rounds; round++) {
      const { added, started, failed } = await oneRound(client, other, BigInt(round + 1));
      progress(`others waited ${[added, started, failed].map(({ waited }) => time(waited)).join(', ')}`);
      if (round === 0) continue;
      figures.added.push(added);
      figures.started.push(started);
      figures.failed.push(failed);
    }
    return Object.entries(figures).map(([what, measured]) => finding(`${count(items)} items are ${what}`, measured));
  },
};

function finding(what: string, measured: readonly Measured[]): Finding {
  const waited = median(measured.map((each) => each.waited));
  const took = median(measured.map((each) => each.took));
  return { what, figure: time(waited), against: time(took), value: waited, unit: 'ms', demand: { atMost: 100 } };
}

async function oneRound(client: Client, other: Client, JobId: bigint) {
  const named = Array.from({ length: items }, (_, ItemId) => ({ JobId, GroupId: 1, ItemId }));
  const JobXml = jobAdd(
    family,
    named.map(({ ItemId }) => ({ ItemId, InputFile: `in/${ItemId}.docx`, OutputFile: `out/${ItemId}.docx` })),
  );
  const start = batchUpdate(
    family,
    named.map((item) => ({ ...item, Worker: worker })),
  );
  const fail = batchUpdate(
    family,
    [],
    named.map((item) => ({ ...item, ErrorCode: 5 })),
  );
  await client.call(addJob, { JobId, UserToken: Buffer.of(1), Settings: '' });
  const group = { JobId, GroupId: 1, InputRoot: '', OutputRoot: '', MaxAttemptsCount: 3, JobXml };
  return {
    added: await measure(other, () => client.call(addGroup, group)),
    started: await measure(other, () => client.call(updateConversionBatch, { BatchXml: start })),
    failed: await measure(other, () => client.call(updateConversionBatch, { BatchXml: fail })),
  };
}

async function measure(other: Client, work: () => Promise<unknown>): Promise<Measured> {
  let isOver = false;
  let waited = 0;
  const took = timeOf(work).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const ask = () => other.call(getJobs, { ActiveOnly: true, SubmittedOnly: true });
    waited = Math.max(waited, await timeOf(ask));
    await delay(1);
  }
  return { took: await took, waited };
}
