import { ruleBroken, SqlError } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { componentState } from '../topology/component-state.ts';
import { type Changes, changeParams, readChanges } from './update/changes.ts';
import { deleteProperties, deleteValues } from './update/delete-properties.ts';
import { noteSignatures } from './update/note-signatures.ts';
import { putDefinitions } from './update/put-definitions.ts';
import { addProperties, updateProperties } from './update/put-properties.ts';
import { putResults, putSocialTags } from './update/put-results.ts';
import { putSdIds } from './update/put-sd-ids.ts';
import { clearRepaired, removeDocuments } from './update/remove-documents.ts';

/** The update queues (2.2.1.18). */
const queue = { insert: 1, repair: 2, update: 3, anchor: 4 };

export const updatePropertyStore = procedure({
  name: 'proc_MSS_UpdatePropertyStore',
  section: 'MS-SQLPGAT2 3.1.5.90',
  summary: 'Changes properties, results, security, signatures and definitions of a batch of documents.',
  access: 'write',
  params: {
    trace: nullable(int, 'Ignored.'),
    ComponentID: nullable(int, 'The crawl component, which must be ready in this property store.'),
    queueType: nullable(int, 'What the documents come from (2.2.1.18): 1 insert, 2 repair, 3 update, 4 anchor.'),
    ...changeParams,
  },
  outcomes: { done: { code: 0, meaning: 'All is changed, or nothing where the component is not ready.' } },
  // Large batches are read before the transaction, so that other writers do not wait for that.
  prepare: ({ signal }, input) => readChanges(input, signal).catch(wrongRecords),
  async handle(call, { ComponentID, queueType }, changes: Changes | SqlError) {
    if (!(await isReady(call, ComponentID))) return { outcome: 'done' };
    if (changes instanceof SqlError) throw changes;
    if (queueType === null || queueType < queue.insert || queueType > queue.anchor) {
      throw ruleBroken(`${queueType ?? 'NULL'} is not an Update Queue Type (2.2.1.18).`);
    }
    const { db } = call;
    await removeDocuments(db, changes);
    if (queueType === queue.repair) await clearRepaired(db, changes);
    await deleteProperties(db, changes.deletions);
    await deleteValues(db, changes.valueDeletions);
    await updateProperties(db, changes.updates);
    await addProperties(db, changes.additions);
    await putResults(db, changes.results);
    await putSocialTags(db, changes.socialTags);
    await putSdIds(db, changes.sdIds);
    await noteSignatures(db, changes.signatures, queueType === queue.insert || queueType === queue.repair);
    await putDefinitions(db, changes.definitions);
    return { outcome: 'done' };
  },
});

/** The errors in the records of a call, for callers that may write; others get the same answer whatever they send. */
function wrongRecords(error: unknown): SqlError {
  if (error instanceof SqlError) return error;
  throw error;
}

/** Whether the component may write; in the Foundation role nobody registers the one that there is. */
async function isReady({ db, kind }: Call, component: number | null): Promise<boolean> {
  if (kind === 'search') return true;
  const found = await db.first(
    { found: int },
    sql`
      select 1 as "found" from metadata_components
      where component_id = ${component} and status = ${componentState.ready}`,
  );
  return found !== undefined;
}
