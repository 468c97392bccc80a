import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pace } from '../../../base/threads/turn.ts';
import { Client } from '../../../client/client.ts';
import { crawlType } from '../../../protocols/search/crawls/crawl-status.ts';
import { transactionType } from '../../../protocols/search/gather/values.ts';
import { nothingRead } from '../read/reading.ts';
import { everythingAllowed } from '../rules/robots-txt.ts';
import { Scope } from '../rules/scope.ts';
import { defaultRules } from '../rules/source-rules.ts';
import { Directory } from '../store/directory.ts';
import type { Fetcher } from './fetcher.ts';
import { HostTurns } from './host-turns.ts';
import type { Item } from './item.ts';
import { addLinks, type RowsByStore } from './link-rows.ts';
import { type Memory, writeMemory } from './memory.ts';
import { visit } from './visit.ts';

const url = 'http://site/hop/1';
const rules = { ...defaultRules, interval: 0 };
const source = { id: 1, name: 'site', startAddresses: [], rules, scope: new Scope(rules, []) };

/** A site that redirects for ever. */
const redirecting: Fetcher = {
  robot: 'Granary',
  robots: async () => everythingAllowed,
  fetch: async () => ({ what: 'redirect', to: 'http://site/hop/2' }),
  async [Symbol.asyncDispose]() {},
};

/** What a visit looks at of an item of the queue. */
const item = (blobs: Partial<Pick<Item, 'CachedBlob' | 'DocPropsBlob'>>): Item =>
  ({ AccessURL: url, TransactionType: transactionType.add, TransactionFlags: 0, DocPropsBlob: null, ...blobs }) as Item;

/** Visits a document that has not changed since it was remembered. */
async function visitUnchanged(memory: Memory) {
  await using store = Client.create({ host: '127.0.0.1', port: 1, user: 'nobody', password: '', database: 'Store' });
  const { hresult, description } = await visit(item({ DocPropsBlob: writeMemory(memory) }), {
    crawl: { id: 2, type: crawlType.incremental, contentSource: 1, mainCrawl: 0 },
    source,
    fetcher: { ...redirecting, fetch: async () => ({ what: 'notModified' }) },
    reader: { read: async () => nothingRead },
    turns: new HostTurns(store),
    signal: new AbortController().signal,
  });
  return [hresult, description];
}

test('a document that has not changed still has links that are too long, or asks still not to be found', async () => {
  assert.deepEqual(await visitUnchanged({}), [0x41203, null]);
  assert.deepEqual(await visitUnchanged({ noIndex: true }), [0x40d90, null]);
  assert.deepEqual(await visitUnchanged({ leftOut: 'A link is …' }), [0x800700ce | 0, 'A link is …']);
});

test('an incremental crawl goes on counting the redirects that have led to a URL', async () => {
  await using store = Client.create({ host: '127.0.0.1', port: 1, user: 'nobody', password: '', database: 'Store' });
  const visited = (type: number, blobs: Parameters<typeof item>[0]) =>
    visit(item(blobs), {
      crawl: { id: 2, type, contentSource: 1, mainCrawl: 0 },
      source,
      fetcher: redirecting,
      reader: { read: async () => nothingRead },
      turns: new HostTurns(store),
      signal: new AbortController().signal,
    });
  const tenth = await visited(crawlType.full, { CachedBlob: Uint8Array.of(10) });
  assert.equal(tenth.hresult, 0x80072f7c | 0, 'ten redirects are enough');
  const DocPropsBlob = writeMemory(tenth.memory);
  assert.equal((await visited(crawlType.incremental, { DocPropsBlob })).hresult, 0x80072f7c | 0);
  const anew = await visited(crawlType.full, { DocPropsBlob });
  assert.deepEqual([anew.hresult, anew.links?.[0]?.redirects], [0, 1], 'a full crawl counts anew');
});

test('a page of many links of a host whose robots.txt has many rules costs no more than some; the others are judged when they are visited', async () => {
  await using store = Client.create({ host: '127.0.0.1', port: 1, user: 'nobody', password: '', database: 'Store' });
  const links = ['a', 'b', 'c', 'd'].map((name) => ({ url: `http://site/${name}`, text: '' }));
  const tags = { noIndex: false, noFollow: false };
  const page = {
    what: 'content',
    body: Buffer.from(''),
    mediaType: 'text/html',
    charset: undefined,
    modified: undefined,
    tags,
  } as const;
  const robots = { rules: 2_500_000, crawlDelay: 0, allows: (each: string) => each === url };
  const { links: found = [] } = await visit(item({}), {
    crawl: { id: 2, type: crawlType.full, contentSource: 1, mainCrawl: 0 },
    source,
    fetcher: { ...redirecting, robots: async () => robots, fetch: async () => page },
    reader: { read: async () => ({ ...nothingRead, links }) },
    turns: new HostTurns(store),
    signal: new AbortController().signal,
  });
  assert.deepEqual(
    found.map(({ refused }) => refused),
    [0x80040d07 | 0, 0x80040d07 | 0, undefined, undefined],
  );
});

test('a page of many links gives way while they are decided and made rows', async (t) => {
  await using store = Client.create({ host: '127.0.0.1', port: 1, user: 'nobody', password: '', database: 'Store' });
  const links = Array.from({ length: 100 }, (_, at) => ({ url: `http://site/${at}`, text: '' }));
  const tags = { noIndex: false, noFollow: false };
  const body = Buffer.from('');
  const page = {
    what: 'content',
    body,
    mediaType: 'text/html',
    charset: undefined,
    modified: undefined,
    tags,
  } as const;
  const crawl = { id: 2, type: crawlType.full, contentSource: 1, mainCrawl: 0 };
  const rounds = roundsOf(t);
  const outcome = await visit(item({}), {
    crawl,
    source,
    fetcher: { ...redirecting, fetch: async () => page },
    reader: { read: async () => ({ ...nothingRead, links }) },
    turns: new HostTurns(store),
    signal: new AbortController().signal,
  });
  assert.equal(outcome.links?.length, 100);
  assert.ok(rounds() >= 100, 'decided');
  const rows: RowsByStore = new Map();
  t.mock.method(store, 'call', async () => ({ output: { GthrDBID: 0, HostID: 1 } }));
  await addLinks(outcome, { crawl, source, directory: new Directory(store) }, rows);
  assert.equal(rows.get(0)?.length, 101, 'with the Last Link');
  assert.ok(rounds() >= 200, 'made rows');
});

/** Counts the rounds of the event loop; whatever gives way does so at each occasion. */
function roundsOf(t: TestContext): () => number {
  const { turnLength } = pace;
  pace.turnLength = 0;
  let rounds = 0;
  let isCounting = true;
  const count = () => {
    rounds++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  t.after(() => {
    isCounting = false;
    pace.turnLength = turnLength;
  });
  return () => rounds;
}
