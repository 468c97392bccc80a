import type { CallInput } from '../../../procedure/declare.ts';
import type { updatePropertyStore } from '../../../protocols/search/properties/update-property-store.ts';
import {
  alertHistory,
  docPropsAdd,
  docPropsDelete,
  docResults,
  docSdIds,
  documentId,
  pack,
  type RecordValue,
} from '../../../protocols/search/records/index.ts';
import type { CrawledDocument } from '../component/outcome.ts';
import { hash32, hash64 } from '../url/hash.ts';
import { hostOf } from '../url/normal-url.ts';
import { fileTime } from './file-time.ts';

/** The update queues (2.2.1.18). */
export const queueType = { insert: 1, update: 3, anchor: 4 } as const;

/** The managed properties that a crawl fills, as the first metadata schema numbers them. */
const pid = { title: 2, author: 3, lastModified: 4, size: 5, path: 6, contentType: 7 } as const;

/** The maximum number of characters of strVal; longer values are in strVal2. */
const longestValue = 450;

/** A document with the identifier that it is kept under. */
export interface KeptDocument {
  readonly docId: number;
  readonly url: string;
  readonly document: CrawledDocument;
}

type Property = RecordValue<(typeof docPropsAdd)['fields']>;

/** A value of a text property: its llVal is the 64-bit hash of the text. */
export const textValue = (DocId: number, Pid: number, text: string): Property => ({
  DocId,
  Pid,
  llVal: hash64(text),
  strVal: text.length <= longestValue ? text : null,
  strVal2: text.length <= longestValue ? null : text,
});

const numberValue = (DocId: number, Pid: number, llVal: bigint): Property => ({
  DocId,
  Pid,
  llVal,
  strVal: null,
  strVal2: null,
});

function propertiesOf({ docId, url, document }: KeptDocument): Property[] {
  const { title, author, modified, size, mediaType } = document;
  return [
    textValue(docId, pid.title, title),
    textValue(docId, pid.author, author),
    numberValue(docId, pid.lastModified, fileTime(modified)),
    numberValue(docId, pid.size, BigInt(size)),
    textValue(docId, pid.path, url),
    textValue(docId, pid.contentType, mediaType),
  ].filter(({ strVal, llVal, Pid }) => (Pid === pid.lastModified ? llVal !== 0n : strVal !== ''));
}

function resultOf({ docId, url, document }: KeptDocument): RecordValue<(typeof docResults)['fields']> {
  return {
    DocId: docId,
    summaryBlobSize: 0,
    size: BigInt(document.size),
    lastModified: fileTime(document.modified),
    isDocument: 1,
    isPictureUrl: document.mediaType.startsWith('image/') ? 1 : 0,
    author: document.author.slice(0, 2000) || null,
    title: document.title,
    url,
    pictureThumbnailUrl: null,
    contentClass: document.mediaType.slice(0, 128) || null,
    fileExtension: document.extension || null,
    tags: document.keywords.slice(0, 2000) || null,
    propertyBlob: null,
    siteName: hostOf(url),
    description: document.description || null,
    numberOfMembers: 0,
    pictureHeightAndWidth: 0n,
    displayDate: fileTime(document.modified),
  };
}

/** The signature of contents: the 48 bytes by which duplicates are recognised. */
function duplicateHashes(signature: string): Uint8Array {
  const bytes = new Uint8Array(48);
  bytes.set(Buffer.from(signature, 'base64url').subarray(0, 48));
  return bytes;
}

/** The version of what is kept of a document: with another one no content counts as changed. */
const schemaSignature = 1;

type Input = CallInput<(typeof updatePropertyStore)['params']>;
type Changes = Omit<Input, 'ComponentID' | 'queueType' | 'trace'>;

/** Changes of a property store that change nothing. */
export const noChanges: Changes = {
  deleteDocIdRows: 0,
  deleteDocIdBlob: null,
  addRows: 0,
  addBlob: null,
  addStringBlob: null,
  updateRows: 0,
  updateBlob: null,
  updateStringBlob: null,
  deleteRows: 0,
  deleteBlob: null,
  deleteRowsWithHash: 0,
  deleteWithHashBlob: null,
  docResultsRows1: 0,
  docResultsBlob1: null,
  docResultsStringBlob1: null,
  docResultsBinaryBlob1: null,
  docResultsRowsAnchor: 0,
  docResultsBlobAnchor: null,
  docResultsStringBlobAnchor: null,
  docSdIdsRows: 0,
  docSdIdsBlob: null,
  alertHistoryRows: 0,
  alertHistoryBlob: null,
  definitionRows: 0,
  definitionBlob: null,
  definitionStringBlob: null,
};

/** What takes documents out of a property store. */
export function removal(documents: readonly number[]): Changes {
  const packed = pack(
    documentId,
    documents.map((DocId) => ({ DocId })),
  );
  return { ...noChanges, deleteDocIdRows: packed.rows, deleteDocIdBlob: packed.records };
}

/** What sets values of properties, instead of those that were there. */
export function propertyUpdate(values: readonly Property[]): Changes {
  const packed = pack(docPropsAdd, values);
  return { ...noChanges, updateRows: packed.rows, updateBlob: packed.records, updateStringBlob: packed.text };
}

/** Removes all values of properties; to be combined with an update. */
export function propertyRemoval(
  properties: readonly RecordValue<(typeof docPropsDelete)['fields']>[],
): Pick<Changes, 'deleteRows' | 'deleteBlob'> {
  const packed = pack(docPropsDelete, properties);
  return { deleteRows: packed.rows, deleteBlob: packed.records };
}

/** Adds documents to a property store, replacing what it has of them. */
export function documentUpdate(documents: readonly KeptDocument[], sdid: number, now: Date): Changes {
  const results = pack(docResults, documents.map(resultOf));
  const security = pack(
    docSdIds,
    documents.map(({ docId, document }) => ({
      DocId: docId,
      sdid,
      type: 1,
      hasPluggableSecurity: 0,
      duplicateAction: 1,
      duplicateHashes: duplicateHashes(document.signature),
    })),
  );
  const signatures = pack(
    alertHistory,
    documents.map(({ docId, url, document }) => ({
      DocId: docId,
      SchemaSignature: schemaSignature,
      UrlSignature: hash64(url),
      ContentSignature: BigInt(hash32(document.signature)),
      CrawlTime: fileTime(now.getTime()),
    })),
  );
  return {
    ...propertyUpdate(documents.flatMap(propertiesOf)),
    docResultsRows1: results.rows,
    docResultsBlob1: results.records,
    docResultsStringBlob1: results.text,
    docResultsBinaryBlob1: results.bytes,
    docSdIdsRows: security.rows,
    docSdIdsBlob: security.records,
    alertHistoryRows: signatures.rows,
    alertHistoryBlob: signatures.records,
  };
}
