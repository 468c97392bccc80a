import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { stage } from '../../stage.ts';

/** Records what the next delete crawl of the content source has to delete; 0 means all start addresses. */
async function note({ db }: Call, contentSource: number, startAddress: number): Promise<void> {
  await db.run(sql`
    insert into requested_deletes (content_source_id, start_address_id) values (${contentSource}, ${startAddress})`);
}

/** 160. */
export const deleteContentSource = stage({
  summary: 'Requests the deletion of a content source.',
  access: 'write',
  heeds: ['ContentSourceID'],
  run: (call, { ContentSourceID }) => note(call, ContentSourceID, 0),
});

/** 161. */
export const deleteStartAddress = stage({
  summary: 'Requests the deletion of a start address.',
  access: 'write',
  heeds: ['ContentSourceID', 'MiscInputData'],
  run: (call, { ContentSourceID, MiscInputData }) => note(call, ContentSourceID, MiscInputData),
});
