import type { Client } from '../../client/client.ts';

/** Why the first item of a job that is not done waits. */
export async function whyJobWaits(client: Client, job: bigint, signal?: AbortSignal) {
  const { sets } = await client.query(
    'exec granary.WhyItemsWait @JobId = @job, @Most = 1',
    { job },
    signal === undefined ? {} : { signal },
  );
  const [row] = sets[0] ?? [];
  return { why: row === undefined ? null : String(row['Reason']), lacksWorker: row?.['State'] === 'NoWorker' };
}
