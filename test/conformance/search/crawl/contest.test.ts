import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitTransactions } from '../../../../src/protocols/search/gather/commit-transactions.ts';
import { getNextCrawlBatch } from '../../../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { pack, transactionCommit } from '../../../../src/protocols/search/records/index.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachCrawlFarm, recordOf } from './farm.ts';

const components = 8;
/** At full size, 100,000, it takes minutes: GRANARY_TEST_CONTEST says how many. */
const documents = Number(process.env['GRANARY_TEST_CONTEST'] ?? 4000);
/** Links that are sent in one load. */
const inALoad = 4000;

/** Asks for batches and commits them until there are none; returns the documents that it got. */
async function work(client: TestClient, ComponentID: number): Promise<number[]> {
  const got: number[] = [];
  for (;;) {
    const { sets } = await client.call(getNextCrawlBatch, { ComponentID, ProjectID: 1, CrawlID: 2, BatchSize: 50 });
    const items = sets[0] ?? [];
    if (items.length === 0) return got;
    got.push(...items.map((item) => Number(item['DocID'])));
    const packed = pack(transactionCommit, items.map(recordOf));
    await client.call(commitTransactions, {
      ComponentID,
      ApplicationType: 0,
      DocRows: packed.rows,
      DocFixedSize: transactionCommit.length,
      DocFixedBlob: packed.records,
      DocStrings: packed.text,
      DocBlobs: packed.bytes,
    });
  }
}

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.45: components that ask at the same time never get the same document and never deadlock', () =>
    withFarm(
      async ({ store, connect }) => {
        for (let first = 0; first < documents; first += inALoad) {
          const count = Math.min(inALoad, documents - first);
          const link = (at: number) => ({ CrawlID: 2, AccessURL: `http://host/${first + at}` });
          await store.bring(...Array.from({ length: count }, (_, at) => link(at)));
        }
        await store.flush(2);
        const clients = await Promise.all(Array.from({ length: components }, () => connect(store)));
        const got = (await Promise.all(clients.map(work))).flat();
        assert.equal(got.length, documents, 'each document is handed out');
        assert.equal(new Set(got).size, documents, 'and none of them twice');
        assert.deepEqual(await store.rows('select count(*) as n from CrawlUrlHistory where CommitCrawlID = 2'), [
          { n: documents },
        ]);
        assert.equal((await store.stage(141, { CrawlID: 2 })).status, 11);
      },
      { components: [components] },
    ));
});
