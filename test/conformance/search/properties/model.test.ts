import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../../../src/protocols/search/kinds/search.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';
import { StoreModel } from './model.ts';
import { type Batch, change, property, rows } from './store.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const calls = 60;

/** Whole numbers below a limit, in an order that the seed decides. */
function numbers(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A batch in which each part is there or not, about a few documents and properties. */
function someBatch(next: (below: number) => number, time: number): Batch {
  const some = <T>(make: () => T): T[] => Array.from({ length: next(3) === 0 ? next(5) : 0 }, make);
  const doc = () => 1 + next(5);
  const pid = () => 2 + next(3);
  const value = () => (BigInt(next(3) - 1) << 32n) | BigInt(next(3));
  return {
    documents: next(6) === 0 ? [doc()] : [],
    add: some(() => property(doc(), pid(), value(), next(3) === 0 ? null : `added ${next(100)}`)),
    update: some(() => property(doc(), pid(), value(), next(3) === 0 ? null : `updated ${next(100)}`)),
    remove: some(() => ({ DocId: doc(), Pid: pid() })),
    removeValues: some(() => ({ DocId: doc(), Pid: pid(), IsStringType: next(2), llVal: value() })),
    results: some(() => ({ ...result, DocId: doc(), title: next(3) === 0 ? null : `title ${next(100)}` })),
    tags: some(() => ({ DocId: doc(), popularSocialTags: next(3) === 0 ? null : `tags ${next(100)}` })),
    sdIds: some(() => ({
      DocId: doc(),
      sdid: next(100),
      type: 1,
      hasPluggableSecurity: 0,
      duplicateAction: next(4),
      duplicateHashes: new Uint8Array(48).fill(next(256)),
    })),
    // A URL has one document: two would each be told of it in an order that nobody states.
    signatures: some(doc).map((DocId) => ({
      DocId,
      SchemaSignature: next(2),
      UrlSignature: BigInt(DocId),
      ContentSignature: BigInt(next(3)),
      CrawlTime: BigInt(1000 + time),
    })),
    definitions: some(() => ({
      DocId: doc(),
      TermInSentenceOffset: 0,
      IsAcronym: 0,
      Term: `term${next(3)}`,
      Sentence: next(3) === 0 ? null : `sentence ${next(100)}`,
    })),
  };
}

const result = {
  summaryBlobSize: 0,
  size: 0n,
  lastModified: 0n,
  isDocument: 1,
  isPictureUrl: 0,
  author: null,
  url: null,
  pictureThumbnailUrl: null,
  contentClass: null,
  fileExtension: null,
  tags: null,
  propertyBlob: null,
  siteName: null,
  description: null,
  numberOfMembers: 0,
  pictureHeightAndWidth: 0n,
  displayDate: 0n,
};

/** What clients read of the store, in the model's own words. */
async function stored(client: TestClient): Promise<Record<string, unknown>> {
  const sorted = (entries: [string, unknown][]) => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  const props = await rows(client, 'MSSDocProps');
  const results = await rows(client, 'MSSDocResults');
  const sdIds = await rows(client, 'MSSDocSdIds');
  const definitions = await rows(client, 'Definitions');
  return {
    properties: sorted(props.map((row) => [`${row['DocId']} ${row['Pid']} ${row['llVal']}`, row['strVal']])),
    results: results.map((row) => [row['DocId'], row['title'], row['popularSocialTags']]),
    sdIds: sdIds.map((row) => {
      const hashes = row['duplicateHashes'];
      return [row['DocId'], row['sdid'], hashes instanceof Buffer ? hashes[0] : null];
    }),
    definitions: sorted(definitions.map((row) => [`${row['DocId']} ${row['Term']}`, row['Sentence']])),
  };
}

function expected(model: StoreModel): Record<string, unknown> {
  const byDoc = <T>(map: Map<number, T>) => [...map].sort(([a], [b]) => a - b);
  const sorted = (map: Map<string, unknown>) => Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    properties: sorted(model.properties),
    results: byDoc(model.results).map(([doc, { title, tags }]) => [doc, title, tags]),
    sdIds: byDoc(model.sdIds).map(([doc, { sdid, hash }]) => [doc, sdid, hash]),
    definitions: sorted(model.definitions),
  };
}

forEachSearch(search, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.90: after every call of a random run the store is as a model says', (context) =>
    withSearch(async ({ client }) => {
      context.diagnostic(`SEED=${seed}`);
      const next = numbers(seed);
      const model = new StoreModel();
      for (let call = 0; call < calls; call++) {
        const queue = 1 + next(4);
        const batch = someBatch(next, call);
        await change(client, queue, batch);
        model.apply(queue, batch);
        assert.deepEqual(await stored(client), expected(model), `call ${call} of seed ${seed}`);
      }
    }));
});
