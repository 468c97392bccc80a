import assert from 'node:assert/strict';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../base/clock.ts';
import { Client } from '../../../client/client.ts';
import { crawlStatus, crawlType } from '../../../protocols/search/crawls/crawl-status.ts';
import { CrawlError } from '../fetch/crawl-error.ts';
import { nothingRead } from '../read/reading.ts';
import { everythingAllowed } from '../rules/robots-txt.ts';
import { Scope } from '../rules/scope.ts';
import { defaultRules } from '../rules/source-rules.ts';
import type { Directory } from '../store/directory.ts';
import type { Farm } from '../store/farm.ts';
import { SecurityIds } from '../store/security.ts';
import { noTextIndex } from '../store/text-index.ts';
import { CrawlJob } from './crawl-job.ts';
import type { Item } from './item.ts';

const rules = { ...defaultRules, interval: 0 };
const source = { id: 1, name: 'site', startAddresses: [], rules, scope: new Scope(rules, ['http://site/']) };

/** A page of the only host. */
const item = (DocID: number): Item =>
  ({
    ...{ DocID, SeqID: BigInt(DocID), CrawlID: 2, HostID: 9, AccessURL: `http://site/${DocID}` },
    ...{ TransactionType: 0, TransactionFlags: 0, DocPropsBlob: null },
  }) as Item;

/** A component's work on a crawl whose queue holds some items, which a host answers; and the calls that it makes. */
function jobOn(t: TestContext, queue: Item[], fetch: () => never) {
  const client = Client.create({ host: '127.0.0.1', port: 1, user: 'nobody', password: '', database: 'Store' });
  const calls: string[] = [];
  t.mock.method(client, 'call', async ({ name }: { name: string }) => {
    calls.push(name);
    // As slow as a server is at least.
    await delay(1);
    const items = name === 'proc_MSS_GetNextCrawlBatch' ? queue.splice(0) : [];
    const CrawlStatus = queue.length === 0 ? crawlStatus.done : crawlStatus.started;
    return { outcome: 'done', output: { CrawlStatus, BatchID: BigInt(calls.length), Wait: 0 }, sets: { items } };
  });
  const store = { client, ordinal: 0 };
  const farm: Partial<Record<keyof Farm, unknown>> = {
    ...{ admin: client, isFoundation: false, joined: async () => [store], propertyStoreOf: () => undefined },
    sources: { source: async () => source },
  };
  const directory: Partial<Directory> = { error: async () => ({ id: 1, level: 2, marksDelete: false }) };
  const crawl = { id: 2, type: crawlType.full, contentSource: 1, mainCrawl: 0 };
  const job = new CrawlJob(
    {
      ...{ component: 1, store, farm: farm as unknown as Farm, directory: directory as Directory },
      ...{ security: new SecurityIds(), texts: noTextIndex, clock: systemClock },
      ...{ concurrency: 4, batchSize: 10, pollInterval: 20 },
      fetcher: {
        ...{ robot: 'Granary', robots: async () => everythingAllowed, fetch: async () => fetch() },
        async [Symbol.asyncDispose]() {},
      },
      reader: { read: async () => nothingRead },
    },
    crawl,
  );
  t.after(async () => {
    await job.abort();
    await client.close();
  });
  return { job, calls };
}

const unasked = () => assert.fail('nothing is there to fetch');

test('a component whose store has nothing for the crawl looks for more at its pace', async (t) => {
  const { job, calls } = jobOn(t, [], unasked);
  await delay(200);
  job.check();
  assert.ok(calls.length >= 2 && calls.length <= 20, `${calls.length} calls`);
});

test('a pause leaves no timer behind, though a host wants to be left alone for long', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const busy = () => {
    throw new CrawlError('serverError', 'The server answered 503.', { retryAfter: 60_000 });
  };
  const { job, calls } = jobOn(t, [1, 2, 3].map(item), busy);
  while (!calls.includes('proc_MSS_CommitTransactions')) await delay(10);
  await delay(50);
  await job.pause();
  assert.ok(calls.includes('proc_MSS_UnloadTransactions'), 'what waits for the host goes back');
  assert.ok(timers() <= before);
});
