import type { CallResult } from '../../../procedure/declare.ts';
import type { getNextCrawlBatch } from '../../../protocols/search/gather/get-next-crawl-batch.ts';

type Batch = CallResult<(typeof getNextCrawlBatch)['params'], (typeof getNextCrawlBatch)['outcomes']>;

/** An item of the queue, as a batch brings it. */
export type Item = Batch['sets']['items'][number];

/** A crawl as a component works on it. */
export interface RunningCrawl {
  readonly id: number;
  readonly type: number;
  readonly contentSource: number;
  /** The portal crawl that an anchor crawl follows. */
  readonly mainCrawl: number;
}
