import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitTransactions } from '../../../../../src/protocols/search/gather/commit-transactions.ts';
import { pack, transactionCommit } from '../../../../../src/protocols/search/records/index.ts';
import type { ResultRow } from '../../../../support/client.ts';
import { forEachCrawlFarm, recordOf, type Store } from '../farm.ts';
import { hashOf } from '../link.ts';

const page = (name: string) => `http://host/${name}`;

async function taken(store: Store, ...names: readonly string[]) {
  await store.bring(...names.map((name) => ({ CrawlID: 2, AccessURL: page(name) })));
  await store.flush(2);
  return (await store.batch(2)).items;
}

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.65: records whose size, count, lengths or offsets lie are refused, and nothing is committed', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, 'a', 'b');
      const packed = pack(transactionCommit, items.map(recordOf));
      const whole = {
        ComponentID: 0,
        ApplicationType: 0,
        DocRows: packed.rows,
        DocFixedSize: 245,
        DocFixedBlob: packed.records,
        DocStrings: packed.text,
        DocBlobs: packed.bytes,
      };
      const lying = new Uint8Array(packed.records);
      // The display URL of the second record: its offset.
      const offset = 245 + 4 * 6 + 6 + 4 + 6 + 4;
      new DataView(lying.buffer).setInt32(offset, 1_000_000);
      const negative = new Uint8Array(packed.records);
      new DataView(negative.buffer).setInt16(offset + 4, -5);
      for (const [what, change] of Object.entries({
        size: { DocFixedSize: 237 },
        'no size': { DocFixedSize: null },
        'more rows': { DocRows: 3 },
        'fewer rows': { DocRows: 1 },
        'rows below 0': { DocRows: -1 },
        'no rows': { DocRows: null },
        'cut records': { DocFixedBlob: packed.records.subarray(0, 300) },
        'no records': { DocFixedBlob: null },
        'cut text': { DocStrings: packed.text.slice(0, -1) },
        'no text': { DocStrings: null },
        offset: { DocFixedBlob: lying },
        length: { DocFixedBlob: negative },
      })) {
        await assert.rejects(
          store.client.callLoosely(commitTransactions, { ...whole, ...change }),
          { number: 50000 },
          what,
        );
      }
      assert.deepEqual(await store.rows('select CommitCrawlID from CrawlUrlHistory'), [
        { CommitCrawlID: 0 },
        { CommitCrawlID: 0 },
      ]);
      assert.equal((await store.rows('select SeqID from MSSCrawlQueue')).length, 2);
      await store.client.call(commitTransactions, whole);
      assert.equal((await store.rows('select SeqID from MSSCrawlQueue')).length, 0);
    }));

  test('MS-SQLPGAT2 3.1.5.14: an interval of identifiers that ends before it begins, or begins below 1, is refused', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      for (const interval of [
        { NextDocID: 10, MaxDocID: 5 },
        { NextDocID: -5, MaxDocID: -1 },
        { NextDocID: -5, MaxDocID: 5 },
      ]) {
        await assert.rejects(store.flushOnce(2, interval), { number: 50000 });
      }
      assert.deepEqual(await store.rows('select * from CurrentDocIDChunk'), []);
      assert.equal((await store.rows('select LinkID from MSSTranTempTable0')).length, 1);
    }));

  test('MS-SQLPGAT2 3.1.5.65: texts and bytes of a record that exceed the parameter that they stand for are cut', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, 'a');
      await store.commit(items, {
        CompactURL: 'c'.repeat(41),
        SecurityId: 's'.repeat(41),
        Title: 't'.repeat(1501),
        DisplayURL: 'd'.repeat(4001),
        ErrorDesc: 'e'.repeat(1025),
        DocPropsBlob: new Uint8Array(2049),
      });
      await store.bring({ CrawlID: 3, AccessURL: page('a') });
      await store.flush(3);
      const [item] = (await store.batch(3)).items;
      const lengths = (row: ResultRow = {}, ...names: readonly string[]) =>
        names.map((name) => {
          const value = row[name];
          return typeof value === 'string' || value instanceof Uint8Array ? value.length : undefined;
        });
      assert.deepEqual(lengths(item, 'CompactURL', 'SecurityID', 'DisplayURL', 'DocPropsBlob'), [40, 40, 1500, 2048]);
      const [kept] = await store.rows('select Title, DisplayURL, ErrorDesc from CrawlUrlHistory');
      assert.deepEqual(lengths(kept, 'Title', 'DisplayURL', 'ErrorDesc'), [1500, 4000, 1024]);
    }));

  test('MS-SQLPGAT2 3.1.5.45.1, 3.1.5.65: surrogate pairs count as two characters and are never cut in half', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, 'a');
      const pair = '😀';
      await store.commit(items, { DisplayURL: `d${pair.repeat(2000)}`, DisplayHash: 7, Title: `t${pair.repeat(750)}` });
      const [kept] = await store.rows('select Title, DisplayURL from CrawlUrlHistory');
      assert.deepEqual(kept, { Title: `t${pair.repeat(749)}`, DisplayURL: `d${pair.repeat(1999)}` });
      await store.bring({ CrawlID: 3, AccessURL: page('a') });
      await store.flush(3);
      const shown = `d${pair.repeat(749)}`;
      assert.equal((await store.batch(3)).items[0]?.['DisplayURL'], shown);
      assert.equal((await store.rows("exec proc_MSS_GetDocStatus '7'"))[0]?.['DisplayURL'], shown);
      await store.database.write((db) =>
        db.insert('anchor_changes', ['crawl_id', 'target_doc_id', 'change_type'], [[2, 1, 2]]),
      );
      const links = await store.rows('exec proc_MSS_GetTopAnchorLinks 2, 0, 9');
      assert.deepEqual(
        links.map((row) => row['AnchorText']),
        ['text', `t${pair.repeat(749)}`, shown],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.65: commits of crawls, documents and items that are not there change nothing', () =>
    withFarm(async ({ store }) => {
      const [item] = await taken(store, 'a');
      assert.ok(item);
      for (const change of [{ DocID: 999 }, { CrawlID: 999 }, { SeqID: 999n }]) {
        await store.commit([item], { ...change, TransactionStatus: 3 });
      }
      assert.equal((await store.rows('select SeqID from MSSCrawlQueue where BatchID <> 0')).length, 1);
      await store.commit([item], { DocID: 999 });
      assert.deepEqual(await store.rows('select CommitCrawlID from CrawlUrlHistory'), [{ CommitCrawlID: 0 }]);
    }));

  test('MS-SQLPGAT2 3.1.1.5: a link without a host, a crawl, a URL or its hash is refused, by INSERT and in bulk', () =>
    withFarm(async ({ store }) => {
      const columns = { CrawlID: '2', HostID: '1', AccessURL: "N'http://host/'", AccessHash: '5', ItemType: '2' };
      const insert = (values: Readonly<Record<string, string>>) =>
        store.client.batch(
          `insert into MSSTranTempTable0 (${Object.keys(values).join(', ')}) values (${Object.values(values).join(', ')})`,
        );
      for (const name of Object.keys(columns)) {
        await assert.rejects(insert({ ...columns, [name]: 'null' }), { number: 515 }, name);
        const { [name as keyof typeof columns]: _, ...rest } = columns;
        await assert.rejects(insert(rest), { number: 515 }, name);
      }
      await assert.rejects(insert({ ...columns, NoSuchColumn: '1' }), { number: 207 });
      await assert.rejects(insert({ ...columns, AccessURL: `N'${'x'.repeat(1501)}'` }), (error: { number: number }) =>
        [2628, 8152].includes(error.number),
      );
      await assert.rejects(insert({ ...columns, LinkID: '5' }), { number: 544 });
      await assert.rejects(
        store.bring({ CrawlID: 2, AccessURL: page('a') }, { CrawlID: 2, AccessURL: page('b'), HostID: null }),
        {
          number: 515,
        },
      );
      await assert.rejects(
        store.bring({ CrawlID: 2, AccessURL: page('a'), NoSuchColumn: 1 }),
        /schema of the BulkLoad does not match/,
      );
      assert.deepEqual(await store.rows('select LinkID from MSSTranTempTable0'), [], 'nothing is kept');
      await insert(columns);
      assert.equal(await store.flush(2), 1);
    }));

  test('MS-SQLPGAT2 3.1.5.14: a renamed item that nothing else tells is the one that has its URL, and a compact URL that is not there is nobody’s', () =>
    withFarm(async ({ store }) => {
      const nameless = { CompactURL: null, CompactHash: null };
      await store.bring(...['a', 'b'].map((name) => ({ CrawlID: 2, AccessURL: page(name), ...nameless })));
      await store.flush(2);
      await store.commit((await store.batch(2)).items, { CompactURL: null, CompactHash: 0 });
      const entry = { CrawlID: 3, CrawlType: 2, UseChangeLog: 1, ParentProcessChangeLog: 1, ChangeLogBatchID: 1 };
      await store.bring(
        { ...entry, ...nameless, AccessURL: page('a'), TransactionType: 2 },
        { ...entry, ...nameless, AccessURL: page('elsewhere'), TransactionType: 3 },
        { ...entry, ...nameless, AccessURL: page('elsewhere too'), TransactionType: 3, CompactURL: '' },
        { ...entry, AccessURL: page('b'), TransactionType: 3, Scope: 1 },
      );
      await store.flush(3);
      assert.deepEqual(await store.rows('select DocID, TransactionType, Scope from MSSCrawlQueue order by SeqID'), [
        { DocID: 1, TransactionType: 2, Scope: 2 },
        { DocID: 2, TransactionType: 2, Scope: 2 },
      ]);
      assert.deepEqual(await store.rows('select AccessURL, DeletePending from CrawlUrlHistory order by DocID'), [
        { AccessURL: page('a'), DeletePending: false },
        { AccessURL: page('b'), DeletePending: false },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.1.4: clients read the queue and the history, and do not change them', () =>
    withFarm(async ({ store }) => {
      await taken(store, 'a');
      for (const table of ['MSSCrawlQueue', 'CrawlUrlHistory', 'CrawlWork']) {
        await assert.rejects(store.client.batch(`delete from ${table}`), { number: 229 });
      }
    }));

  test('MS-SQLPGAT2 3.1.5.35: documents are found by hashes of their display URLs; what is no hash is refused', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, 'a', 'b', 'c', 'd');
      await store.commit(items.slice(0, 1), { DisplayHash: -5 });
      await store.commit(items.slice(1, 2), { DisplayHash: 7, DisplayURL: page('A'), IndexType: 0 });
      await store.commit(items.slice(2, 3), { DisplayHash: 7, DisplayURL: page('a'), ErrorID: 4, ErrorLevel: 1 });
      await store.commit(items.slice(3));
      const found = async (hashes: string) =>
        (await store.rows(`exec proc_MSS_GetDocStatus ${hashes}`)).map((row) => [
          row['DocId'],
          row['ErrorId'],
          row['DisplayURL'],
        ]);
      assert.deepEqual(await found("' 7 ,, -5, 99'"), [
        [1, 0, page('a')],
        [3, 4, page('a')],
        [2, 0, page('A')],
      ]);
      const hash = hashOf(page('d'));
      assert.deepEqual(await found(`'${hash}'`), [[4, 0, page('d')]], 'also where it is that of the access URL');
      assert.deepEqual(await found(`'${hashOf(page('c'))}'`), [], 'an access URL of another display URL is none');
      assert.deepEqual([await found("''"), await found('null')], [[], []]);
      for (const wrong of ["'7;8'", "'1 or 1=1'", "'99999999999999'"]) {
        await assert.rejects(found(wrong), { number: 50000 }, wrong);
      }
    }));

  test('MS-SQLPGAT2 3.1.5.89: crawl stores are added to the documents that share one; maintenance has nothing to do', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, 'a', 'b');
      await store.commit(items.slice(0, 1), { LinksBitmap: 0x1 });
      await store.commit(items.slice(1), { LinksBitmap: 0x8 });
      await store.client.batch('exec proc_MSS_UpdateLinksBitmapField 3');
      assert.deepEqual(await store.rows('select LinksBitmap from CrawlUrlHistory order by DocID'), [
        { LinksBitmap: 3 },
        { LinksBitmap: 8 },
      ]);
      for (const call of ['proc_MSS_Recompile', 'proc_MSS_DefragGathererIndexes']) {
        assert.equal((await store.client.batch(`exec ${call}`)).status, 0);
      }
    }));
});
