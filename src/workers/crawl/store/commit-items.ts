import type { Client } from '../../../client/client.ts';
import { commitTransactions } from '../../../protocols/search/gather/commit-transactions.ts';
import { pack, type RecordValue, transactionCommit } from '../../../protocols/search/records/index.ts';

/** Commits what became of items of a crawl store, all of them or none. */
export async function commitItems(
  store: Client,
  component: number,
  records: readonly RecordValue<(typeof transactionCommit)['fields']>[],
): Promise<void> {
  const packed = pack(transactionCommit, records);
  await store.call(commitTransactions, {
    ComponentID: component,
    ApplicationType: 0,
    DocRows: packed.rows,
    DocFixedSize: transactionCommit.length,
    DocFixedBlob: packed.records,
    DocStrings: packed.text,
    DocBlobs: packed.bytes,
  });
}
