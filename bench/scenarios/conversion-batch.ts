import { getConversionBatch } from '../../src/protocols/translation/get-conversion-batch.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { callUnread } from '../support/calls.ts';
import { compareSizes } from '../support/compare-sizes.ts';
import { fillJobs } from '../support/fill/jobs.ts';
import type { Scenario } from '../support/scenario.ts';
import { startSized } from '../support/sized-server.ts';

const itemsInAJob = 100;
const sizes = { small: 10_000, large: 1_000_000 };
const hour = 3_600_000;

export const conversionBatch: Scenario = {
  name: 'conversion-batch',
  summary: 'proc_GetConversionBatch of 100 items, among 1,000,000 items and among 10,000.',
  async run(bench) {
    await using server = await startSized(bench, sizes, {
      kind: translation.name,
      what: 'items',
      fill: (database, items) => fillJobs(database, { jobs: items / itemsInAJob, itemsInAJob }),
    });
    const batchOf = async (name: keyof typeof sizes) => {
      const connection = await server.open(name);
      return () =>
        callUnread(connection, getConversionBatch, {
          NumberOfConversionsInBatch: 100,
          InProgressThreshold: new Date(Date.now() - hour),
        });
    };
    return await compareSizes(
      [{ what: 'a batch of 100', small: await batchOf('small'), large: await batchOf('large') }],
      600,
      1.3,
    );
  },
};
