import { ruleBroken, sqlError } from '../../../base/messages/sql-error.ts';
import { list, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, required } from '../../../procedure/param.ts';
import { int, varbinary } from '../../../tds/types/index.ts';
import { anchorAdd, lastOfEach, unpack } from '../records/index.ts';
import { longestTrackerBlob } from './tracker-blob.ts';

export const updateAnchorDocPropsBlob = procedure({
  name: 'proc_MSS_UpdateAnchorDocPropsBlob',
  section: 'MS-SQLPGAT2 3.1.5.86',
  summary: 'Sets or removes the property tracker blobs of documents.',
  access: 'write',
  params: {
    trace: nullable(int, 'Ignored.'),
    addRows: required(int, 'How many records there are.'),
    addBlob: nullable(varbinary('max'), 'The records (2.2.3.2); one without a blob removes its document.'),
    addDataBlob: nullable(varbinary('max'), 'The bytes that they point into.'),
  },
  outcomes: { done: { code: 0, meaning: 'The blobs are as the records say.' } },
  async handle({ db }, { addRows, addBlob, addDataBlob }) {
    if (addRows === 0) throw ruleBroken('@addRows is the number of records, of which there is at least one.');
    const records = unpack(anchorAdd, { rows: addRows, records: addBlob, bytes: addDataBlob });
    if (records.some(({ PropertyTrackerBlob: blob }) => blob !== null && blob.length > longestTrackerBlob)) {
      throw sqlError(8152);
    }
    const last = lastOfEach(records, ({ DocId }) => DocId);
    const gone = last.filter(({ PropertyTrackerBlob }) => PropertyTrackerBlob === null).map(({ DocId }) => DocId);
    await db.run(sql`delete from anchor_doc_props where doc_id in ${list('bigint', gone)}`);
    await db.insert(
      'anchor_doc_props',
      ['doc_id', 'property_tracker_blob'],
      last
        .filter(({ PropertyTrackerBlob }) => PropertyTrackerBlob !== null)
        .map((r) => [r.DocId, r.PropertyTrackerBlob]),
      ['doc_id'],
    );
    return { outcome: 'done' };
  },
});
