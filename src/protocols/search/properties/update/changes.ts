import { Turn } from '../../../../base/threads/turn.ts';
import type { HandlerInput } from '../../../../procedure/declare.ts';
import { nullable, required } from '../../../../procedure/param.ts';
import { int, nvarchar, varbinary } from '../../../../tds/types/index.ts';
import {
  alertHistory,
  definitions,
  docPropsAdd,
  docPropsDelete,
  docPropsDeleteWithHash,
  docResults,
  docResultsAnchor,
  documentId,
  type Fields,
  type Layout,
  type Packed,
  unpackDocSdIds,
  unpackInTurns,
} from '../../records/index.ts';

const rows = (records: string) => required(int, `How many ${records} there are; 0 for none.`);
const blob = (records: string) => nullable(varbinary('max'), `The ${records}.`);
const text = nullable(nvarchar('max'), 'The text that they point into.');

/** The changes that proc_MSS_UpdatePropertyStore makes, in the order of its parameters. */
export const changeParams = {
  deleteDocIdRows: rows('documents to remove'),
  deleteDocIdBlob: blob('identifiers of documents to remove (MS-SQLPQ2 2.2.1.2)'),
  addRows: rows('values to add'),
  addBlob: blob('values to add (2.2.3.4)'),
  addStringBlob: text,
  updateRows: rows('values to update'),
  updateBlob: blob('values to update (2.2.3.4)'),
  updateStringBlob: text,
  deleteRows: rows('properties to delete'),
  deleteBlob: blob('properties to delete (2.2.3.6)'),
  deleteRowsWithHash: rows('values to delete'),
  deleteWithHashBlob: blob('values to delete (2.2.3.8)'),
  docResultsRows1: rows('results to update'),
  docResultsBlob1: blob('results to update (2.2.3.10)'),
  docResultsStringBlob1: text,
  docResultsBinaryBlob1: nullable(varbinary('max'), 'The bytes that they point into.'),
  docResultsRowsAnchor: rows('social tags to update'),
  docResultsBlobAnchor: blob('social tags to update (2.2.3.12)'),
  docResultsStringBlobAnchor: text,
  docSdIdsRows: rows('security descriptors of documents to update'),
  docSdIdsBlob: blob('security descriptors of documents to update (2.2.3.14)'),
  alertHistoryRows: rows('signatures'),
  alertHistoryBlob: blob('signatures (2.2.3.16)'),
  definitionRows: rows('definitions'),
  definitionBlob: blob('definitions (2.2.3.18)'),
  definitionStringBlob: text,
};

/** The changes of a call, read from its records. */
export type Changes = Awaited<ReturnType<typeof readChanges>>;

/** Reads all records of a call; one that lies is an error, before anything has changed. */
export async function readChanges(input: HandlerInput<typeof changeParams>, signal: AbortSignal) {
  const turn = new Turn(signal);
  const read = <F extends Fields>(of: Layout<F>, packed: Packed) => unpackInTurns(of, packed, turn);
  return {
    documents: await read(documentId, { rows: input.deleteDocIdRows, records: input.deleteDocIdBlob }),
    additions: await read(docPropsAdd, { rows: input.addRows, records: input.addBlob, text: input.addStringBlob }),
    updates: await read(docPropsAdd, {
      rows: input.updateRows,
      records: input.updateBlob,
      text: input.updateStringBlob,
    }),
    deletions: await read(docPropsDelete, { rows: input.deleteRows, records: input.deleteBlob }),
    valueDeletions: await read(docPropsDeleteWithHash, {
      rows: input.deleteRowsWithHash,
      records: input.deleteWithHashBlob,
    }),
    results: await read(docResults, {
      rows: input.docResultsRows1,
      records: input.docResultsBlob1,
      text: input.docResultsStringBlob1,
      bytes: input.docResultsBinaryBlob1,
    }),
    socialTags: await read(docResultsAnchor, {
      rows: input.docResultsRowsAnchor,
      records: input.docResultsBlobAnchor,
      text: input.docResultsStringBlobAnchor,
    }),
    sdIds: await unpackDocSdIds({ rows: input.docSdIdsRows, records: input.docSdIdsBlob }, turn),
    signatures: await read(alertHistory, { rows: input.alertHistoryRows, records: input.alertHistoryBlob }),
    definitions: await read(definitions, {
      rows: input.definitionRows,
      records: input.definitionBlob,
      text: input.definitionStringBlob,
    }),
  };
}
