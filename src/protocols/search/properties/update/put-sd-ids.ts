import type { Db } from '../../../../engine/db.ts';
import type { Changes } from './changes.ts';

/** What becomes of the duplicate hashes of a document; any other number sets them to NULL. */
const action = { replace: 1, keep: 2 };

const columns = ['doc_id', 'sdid', 'type', 'has_pluggable_security'];

/**
 * The records as if one had been applied after the other: what keeps the hashes keeps those of the record before it.
 */
function inOrder(sdIds: Changes['sdIds']): Changes['sdIds'] {
  const last = new Map<number, Changes['sdIds'][number]>();
  for (const record of sdIds) {
    const before = record.duplicateAction === action.keep ? last.get(record.DocId) : undefined;
    const { duplicateAction, duplicateHashes } = before ?? record;
    last.set(record.DocId, { ...record, duplicateAction, duplicateHashes });
  }
  return [...last.values()];
}

/** Sets the security descriptors of documents. */
export async function putSdIds(db: Db, sdIds: Changes['sdIds']): Promise<void> {
  const last = inOrder(sdIds);
  const kept = last.filter(({ duplicateAction }) => duplicateAction === action.keep);
  const set = last.filter(({ duplicateAction }) => duplicateAction !== action.keep);
  const row = ({ DocId, sdid, type, hasPluggableSecurity }: Changes['sdIds'][number]) => [
    DocId,
    sdid,
    type,
    hasPluggableSecurity,
  ];
  await db.insert('doc_sd_ids', columns, kept.map(row), ['doc_id']);
  await db.insert(
    'doc_sd_ids',
    [...columns, 'duplicate_hashes'],
    set.map((record) => [...row(record), record.duplicateAction === action.replace ? record.duplicateHashes : null]),
    ['doc_id'],
  );
}
