import { getNextCrawlBatch } from '../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { unloadTransactions } from '../../src/protocols/search/gather/unload-transactions.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { compareSizes } from '../support/compare-sizes.ts';
import { filledCrawl, fillQueue } from '../support/fill/queue.ts';
import { urlsOf } from '../support/pace.ts';
import type { Scenario } from '../support/scenario.ts';
import { startSized } from '../support/sized-server.ts';

const sizes = { small: 10_000, large: urlsOf(5_000_000) };

export const crawlBatch: Scenario = {
  name: 'crawl-batch',
  summary:
    'proc_MSS_GetNextCrawlBatch of 100 items, given back each time, among 5,000,000 in the queue and among 10,000.',
  isLarge: true,
  async run(bench) {
    await using server = await startSized(bench, sizes, { kind: searchCrawl.name, what: 'items', fill: fillQueue });
    const batchOf = async (name: keyof typeof sizes) => {
      const client = await server.connect(name);
      return async () => {
        const asked = { ComponentID: 0, ProjectID: 1, CrawlID: filledCrawl, BatchSize: 100 };
        const { output } = await client.call(getNextCrawlBatch, asked);
        await client.call(unloadTransactions, { ComponentID: 0, BatchID: output.BatchID ?? null });
      };
    };
    return await compareSizes(
      [{ what: 'a batch of 100', small: await batchOf('small'), large: await batchOf('large') }],
      400,
      1.3,
    );
  },
};
