import { randomUUID } from 'node:crypto';
import type { Client } from '../../src/client/client.ts';
import { addGroup } from '../../src/protocols/word/add-group.ts';
import { addJob } from '../../src/protocols/word/add-job.ts';
import { wordClaims } from '../../src/protocols/word/claims.ts';
import { submitJob } from '../../src/protocols/word/submit-job.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { roundsOf } from '../support/pace.ts';
import type { Finding, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, quantile, time } from '../support/statistics.ts';

const jobs = roundsOf(50) * 4;
const demanded = 50;
const document =
  '<group xmlns="http://schemas.microsoft.com/office/server/word/2009/08/databaseJobAdd"><item id="1" in="a.docx" out="a.pdf"/></group>';

export const jobStart: Scenario = {
  name: 'job-start',
  summary: 'From the call of proc_SubmitJob to the claim of its item by an idle worker that waits.',
  async run(bench) {
    await using server = await BenchServer.start(bench);
    await using worker = await server.connect(word2.firstDatabase);
    await using client = await server.connect(word2.firstDatabase);
    const findings = [...found('on the same server', await timesOf(client, worker), true)];
    if (bench.engine === 'sqlite') return findings;
    await using other = await server.another();
    await using far = await other.connect(word2.firstDatabase);
    return [...findings, ...found('on another node', await timesOf(far, worker), false)];
  },
};

/** What other nodes bring is seen by looking for it every 50 ms: that is for information. */
function found(where: string, times: readonly number[], isDemanded: boolean): Finding[] {
  const half = median(times);
  return [
    {
      what: `p50 from submit to start, submitted ${where}`,
      figure: time(half),
      against: `p99 ${time(quantile(times, 0.99))}`,
      value: half,
      unit: 'ms',
      ...(isDemanded ? { demand: { atMost: demanded } } : {}),
    },
  ];
}

let last = 0n;

/** How long each of many jobs waits for its start, in milliseconds. */
async function timesOf(client: Client, worker: Client): Promise<number[]> {
  const Worker = randomUUID();
  const claim = async () => (await worker.call(wordClaims.claimItems, { Worker, Count: 1 })).sets.Items;
  const times: number[] = [];
  for (let count = 0; count < jobs; count++) {
    const JobId = ++last;
    await client.call(addJob, { JobId, Settings: '<settings/>' });
    await client.call(addGroup, { JobId, GroupId: 1, MaxAttemptsCount: 1, JobXml: document });
    await claim();
    const started = worker.call(wordClaims.waitForWork, { Milliseconds: 60_000 }).then(claim);
    // The worker is idle: its wait has begun long before the job comes.
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 50));
    const submitted = performance.now();
    const answered = client.call(submitJob, { JobId });
    const [item] = await started;
    times.push(performance.now() - submitted);
    if (item?.JobId !== JobId) throw new Error(`the item of job ${JobId} was not claimed`);
    await answered;
    await worker.call(wordClaims.finishItem, item);
  }
  return times;
}
