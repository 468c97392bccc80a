import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, type Param } from '../../../procedure/param.ts';
import { cutTo } from '../../../tds/types/cut.ts';
import { int, nvarchar, varbinary } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { type RecordValue, transactionCommit, unpack } from '../records/index.ts';
import { commitAll } from './commit/together.ts';
import type { Reported } from './commit/transaction.ts';
import { localState } from './component-check.ts';
import { processCommitted } from './process-committed.ts';
import { disabledState } from './values.ts';

export const commitTransactions = procedure({
  name: 'proc_MSS_CommitTransactions',
  section: 'MS-SQLPGAT2 3.1.5.65',
  summary: 'Commits the results of many items of the queue, all of them or none.',
  access: 'write',
  params: {
    ComponentID: nullable(int, 'The crawl component; a disabled one changes nothing.'),
    ApplicationType: nullable(int, '0; ignored.'),
    DocRows: nullable(int, 'How many records there are.'),
    DocFixedSize: nullable(int, 'The length of a record: 245.'),
    DocFixedBlob: nullable(varbinary('max'), 'The records (2.2.3.19).'),
    DocStrings: nullable(nvarchar('max'), 'The texts that they point to.'),
    DocBlobs: nullable(varbinary('max'), 'The bytes that they point to.'),
  },
  outcomes: done,
  async handle(call, { ComponentID, DocRows, DocFixedSize, DocFixedBlob, DocStrings, DocBlobs }) {
    if ((await localState(call.db, ComponentID)) === disabledState) return { outcome: 'done' };
    if (DocFixedSize !== transactionCommit.length) {
      throw ruleBroken(
        `A Transaction Commit Record has ${transactionCommit.length} bytes, not ${DocFixedSize ?? 'NULL'}.`,
      );
    }
    const packed = { rows: DocRows, records: DocFixedBlob, text: DocStrings, bytes: DocBlobs };
    await commitAll(call, unpack(transactionCommit, packed).map(asArguments));
    return { outcome: 'done' };
  },
});

type CommitRecord = RecordValue<(typeof transactionCommit)['fields']>;

/** The arguments of proc_MSS_ProcessCommitted with a maximum length. */
const bounded = Object.entries<Param>(processCommitted.params).filter(([, { type }]) => /char|binary/.test(type.name));

/** A record as the arguments of proc_MSS_ProcessCommitted; values that are too long are truncated in the same way. */
function asArguments({ MarkDelete, ...record }: CommitRecord): Reported {
  const fitting: Record<string, unknown> = record;
  for (const [name, { type }] of bounded) fitting[name] = cutTo(type, fitting[name]);
  return { ...record, MarkDelete: MarkDelete !== 0, FolderDelCount: 0 };
}
