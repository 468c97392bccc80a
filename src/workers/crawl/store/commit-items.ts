import type { Client } from '../../../client/client.ts';
import { commitTransactions } from '../../../protocols/search/gather/commit-transactions.ts';
import { processCommitted } from '../../../protocols/search/gather/process-committed.ts';
import { pack, type RecordValue, transactionCommit } from '../../../protocols/search/records/index.ts';

type CommitRecord = RecordValue<(typeof transactionCommit)['fields']>;

/**
 * Commits what became of items one by one, as the Foundation role has it: its database has no procedure for many
 * (3.3.5).
 */
export async function commitOneByOne(store: Client, records: readonly CommitRecord[]): Promise<void> {
  await Promise.all(
    records.map(({ UseSecurityInfo: _, MarkDelete, ...record }) =>
      store.call(processCommitted, {
        ...record,
        MarkDelete: MarkDelete !== 0,
        FolderDelCount: 0,
        ApplicationType: 0,
      }),
    ),
  );
}

/** Commits what became of items of a crawl store, all of them or none. */
export async function commitItems(store: Client, component: number, records: readonly CommitRecord[]): Promise<void> {
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
