import type { Database } from '../../../../src/engine/db.ts';
import { sql } from '../../../../src/engine/sql.ts';
import type { changeParams } from '../../../../src/protocols/search/properties/update/changes.ts';
import { updatePropertyStore } from '../../../../src/protocols/search/properties/update-property-store.ts';
import {
  alertHistory,
  definitions,
  docPropsAdd,
  docPropsDelete,
  docPropsDeleteWithHash,
  docResults,
  docResultsAnchor,
  docSdIds,
  documentId,
  type Layout,
  pack,
  type RecordValue,
} from '../../../../src/protocols/search/records/index.ts';
import type { Fields } from '../../../../src/protocols/search/records/layout.ts';
import type { TestClient } from '../../../support/client.ts';

type Of<L> = L extends Layout<infer F extends Fields> ? RecordValue<F> : never;
export type Property = Of<typeof docPropsAdd>;
export type Result = Of<typeof docResults>;

export const [inserts, repairs, updates, anchors] = [1, 2, 3, 4];
export const component = 0;

/** A number property; text for a string one. */
export const property = (DocId: number, Pid: number, llVal: bigint, strVal: string | null = null): Property => ({
  DocId,
  Pid,
  llVal,
  strVal,
  strVal2: null,
});

/** What a call changes; what is left out changes nothing. */
export interface Batch {
  readonly documents?: readonly number[];
  readonly add?: readonly Property[];
  readonly update?: readonly Property[];
  readonly remove?: readonly Of<typeof docPropsDelete>[];
  readonly removeValues?: readonly Of<typeof docPropsDeleteWithHash>[];
  readonly results?: readonly Result[];
  readonly tags?: readonly Of<typeof docResultsAnchor>[];
  readonly sdIds?: readonly Of<typeof docSdIds>[];
  readonly signatures?: readonly Of<typeof alertHistory>[];
  readonly definitions?: readonly Of<typeof definitions>[];
}

/** The parameters of a call, packed as clients pack them. */
export function packed(batch: Batch): Record<string, unknown> {
  const documents = pack(documentId, batch.documents?.map((DocId) => ({ DocId })) ?? []);
  const add = pack(docPropsAdd, batch.add ?? []);
  const update = pack(docPropsAdd, batch.update ?? []);
  const remove = pack(docPropsDelete, batch.remove ?? []);
  const removeValues = pack(docPropsDeleteWithHash, batch.removeValues ?? []);
  const results = pack(docResults, batch.results ?? []);
  const tags = pack(docResultsAnchor, batch.tags ?? []);
  const sdIds = pack(docSdIds, batch.sdIds ?? []);
  const signatures = pack(alertHistory, batch.signatures ?? []);
  const defined = pack(definitions, batch.definitions ?? []);
  return {
    deleteDocIdRows: documents.rows,
    deleteDocIdBlob: documents.records,
    addRows: add.rows,
    addBlob: add.records,
    addStringBlob: add.text,
    updateRows: update.rows,
    updateBlob: update.records,
    updateStringBlob: update.text,
    deleteRows: remove.rows,
    deleteBlob: remove.records,
    deleteRowsWithHash: removeValues.rows,
    deleteWithHashBlob: removeValues.records,
    docResultsRows1: results.rows,
    docResultsBlob1: results.records,
    docResultsStringBlob1: results.text,
    docResultsBinaryBlob1: results.bytes,
    docResultsRowsAnchor: tags.rows,
    docResultsBlobAnchor: tags.records,
    docResultsStringBlobAnchor: tags.text,
    docSdIdsRows: sdIds.rows,
    docSdIdsBlob: sdIds.records,
    alertHistoryRows: signatures.rows,
    alertHistoryBlob: signatures.records,
    definitionRows: defined.rows,
    definitionBlob: defined.records,
    definitionStringBlob: defined.text,
  } satisfies Record<keyof typeof changeParams, unknown>;
}

/** Calls with a batch, and with parameters that differ from what it packs to. */
export async function change(
  client: TestClient,
  queueType: number | null,
  batch: Batch,
  more: object = {},
): Promise<void> {
  const given = { trace: 0, ComponentID: component, queueType, ...packed(batch), ...more };
  const { status, sets } = await client.callLoosely(updatePropertyStore, given);
  if (status !== 0 || sets.length > 0) throw new Error(`returned ${status} with ${sets.length} result sets`);
}

/** Makes the component known to the property store as ready. */
export const ready = (database: Database, status = 1) =>
  database.write((db) =>
    db.run(sql`
      insert into metadata_components (component_id, status, modified_by) values (${component}, ${status}, 0)
      on conflict (component_id) do update set status = excluded.status`),
  );

/** The rows of a table of the property store, as clients read them. */
export const rows = async (client: TestClient, table: string, order = 'DocId') =>
  (await client.batch(`select * from ${table} order by ${order}`)).sets[0] ?? [];

/** MSSDocProps as [DocId, Pid, llVal, strVal]. */
export const properties = async (client: TestClient) =>
  (await rows(client, 'MSSDocProps', 'DocId, Pid, llVal')).map((row) => [
    row['DocId'],
    row['Pid'],
    Number(row['llVal']),
    row['strVal'],
  ]);
