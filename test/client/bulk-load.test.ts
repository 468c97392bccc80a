import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '../../src/client/client.ts';
import { transactionLinks } from '../../src/protocols/search/gather/relations/links.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { int } from '../../src/tds/types/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { optionsFor, type Way } from './places.ts';

const columns = ['CrawlID', 'HostID', 'AccessURL', 'AccessHash', 'ItemType', 'AnchorText'] as const;
const link = (at: number) => ({
  CrawlID: 1,
  HostID: 2,
  AccessURL: `http://barn.example/𝄞/${at}`,
  AccessHash: at,
  ItemType: 0,
  AnchorText: at % 2 === 0 ? null : `link ${at}`,
});

forEachEngine((engine) => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ engine, kinds: [searchCrawl] });
  });
  after(() => server[Symbol.asyncDispose]());

  for (const way of ['full', 'in process'] satisfies Way[]) {
    describe(`a bulk load of typed rows, ${way}`, () => {
      let client: Client;
      before(() => {
        client = Client.create({ ...optionsFor(server, searchCrawl.firstDatabase, way), poolSize: 1 });
      });
      after(() => client.close());

      const count = async () =>
        (await client.select({ n: int }, `select count(*) as n from ${transactionLinks.name}`))[0]?.n;
      const emptied = () => client.query(`delete from ${transactionLinks.name}`);

      test('loads arrays, generators and async iterations, and tells how many there were', async () => {
        await emptied();
        assert.equal(await client.bulkLoad(transactionLinks, [link(1), link(2)], { columns }), 2);
        const generated = (function* () {
          for (let at = 0; at < 5000; at++) yield link(at);
        })();
        assert.equal(await client.bulkLoad(transactionLinks, generated, { columns }), 5000);
        const later = (async function* () {
          for (let at = 0; at < 100; at++) yield link(at);
        })();
        assert.equal(await client.bulkLoad(transactionLinks, later, { columns }), 100);
        assert.equal(await count(), 5102);
      });

      test('rows that fail half-way take the whole load back, and the connection serves on', async () => {
        await emptied();
        const broken = (function* () {
          for (let at = 0; at < 5000; at++) yield link(at);
          throw new Error('no more rows');
        })();
        await assert.rejects(client.bulkLoad(transactionLinks, broken, { columns }), /no more rows/);
        // @ts-expect-error The column is never NULL.
        await assert.rejects(client.bulkLoad(transactionLinks, [{ ...link(1), HostID: null }], { columns }), /HostID/);
        assert.equal(await count(), 0);
      });

      test('a cancel takes the whole load back, and the connection serves on', async () => {
        await emptied();
        const stop = new AbortController();
        const cancelled = (async function* () {
          for (let at = 0; at < 50_000; at++) {
            if (at === 20_000) stop.abort(new Error('enough'));
            yield link(at);
          }
        })();
        const load = client.bulkLoad(transactionLinks, cancelled, { columns, signal: stop.signal });
        await assert.rejects(load, /enough/);
        assert.equal(await count(), 0);
      });

      test('a cancel, a timeout and a close end a load that waits for its next row', async () => {
        await emptied();
        const another = Client.create({ ...optionsFor(server, searchCrawl.firstDatabase, way), poolSize: 1 });
        let isWaiting = () => {};
        const endless = async function* () {
          yield link(1);
          isWaiting();
          await new Promise(() => {});
        };
        const stop = new AbortController();
        isWaiting = () => stop.abort(new Error('enough'));
        await assert.rejects(another.bulkLoad(transactionLinks, endless(), { columns, signal: stop.signal }), /enough/);
        isWaiting = () => {};
        await assert.rejects(another.bulkLoad(transactionLinks, endless(), { columns, timeout: 250 }), {
          name: 'ClientError',
          code: 'timeout',
        });
        isWaiting = () => void another.close();
        await assert.rejects(another.bulkLoad(transactionLinks, endless(), { columns }), /the client was closed/);
        assert.equal(await count(), 0);
      });

      test('a load inside a transaction is undone with it', async () => {
        await emptied();
        const failing = client.transaction(async (transaction) => {
          await transaction.bulkLoad(transactionLinks, [link(1)], { columns });
          throw new Error('changed my mind');
        });
        await assert.rejects(failing, /changed my mind/);
        assert.equal(await count(), 0);
      });
    });
  }
});
