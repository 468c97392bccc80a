import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

describe('schemas of tempdb', () => {
  let server: TestServer;
  let one: TestClient;
  let other: TestClient;
  before(async () => {
    server = await startServer({ kinds: [] });
    one = await server.connect('tempdb');
    other = await server.connect('tempdb');
  });
  after(() => server[Symbol.asyncDispose]());
  const count = async (client: TestClient, table: string) =>
    (await client.batch(`select count(*) as n from ${table}`)).sets[0]?.[0]?.['n'];

  test('an administrator makes schemas, whose tables and procedures are apart from others of the same name', async () => {
    await assert.rejects(one.batch('create table barn.hay (id int)'), { number: 2760 });
    await assert.rejects(one.batch('drop table barn.hay'), { number: 3701 });
    await one.batch('drop table if exists barn.hay drop procedure if exists barn.stack');
    await one.batch('create schema barn');
    await one.batch('create table barn.hay (id int primary key) create table hay (other int)');
    await one.batch('create procedure barn.stack as select count(*) as n from barn.hay');
    await other.batch('insert barn.hay values (1), (2)');
    assert.deepEqual((await other.batch('exec barn.stack')).sets, [[{ n: 2 }]]);
    assert.equal(await count(other, 'hay'), 0);
    assert.equal(await count(other, 'tempdb.barn.hay'), 2);
    await assert.rejects(other.batch('insert barn.hay values (1)'), /object 'barn\.hay'/);
    const { sets } = await other.batch(
      `select schema_name(schema_id) as s, name from sys.objects where name in ('hay', 'stack') order by s, name
       select table_schema as s from information_schema.tables where table_name = 'hay' order by s
       select object_schema_name(object_id('barn.hay')) as s, schema_id('barn') as id, schema_id('nowhere') as none`,
    );
    assert.deepEqual(sets, [
      [
        { s: 'barn', name: 'hay' },
        { s: 'barn', name: 'stack' },
        { s: 'dbo', name: 'hay' },
      ],
      [{ s: 'barn' }, { s: 'dbo' }],
      [{ s: 'barn', id: 5, none: null }],
    ]);
    await assert.rejects(one.batch('create schema barn'), { number: 2714 });
    await assert.rejects(one.batch('drop schema barn'), { number: 3729 });
    await one.batch('drop procedure barn.stack drop table barn.hay, hay drop schema barn');
    await assert.rejects(one.batch('drop schema barn'), { number: 15151 });
    const elsewhere = await server.connect('master');
    await assert.rejects(elsewhere.batch('create schema barn'), { number: 262 });
  });

  test('SET IDENTITY_INSERT is on for the table that it names, in whichever schema', async () => {
    await one.batch('create schema loft');
    await one.batch('create table loft.oats (id int identity) create table oats (id int identity)');
    const inserted = (table: string) => `insert ${table} (id) output inserted.id values (7)`;
    const { sets } = await one.batch(`set identity_insert loft.oats on ${inserted('loft.oats')}`);
    assert.deepEqual(sets, [[{ id: 7 }]]);
    await assert.rejects(one.batch(inserted('oats')), { number: 544 });
    await one.batch('set identity_insert tempdb.loft.oats off');
    await assert.rejects(one.batch(inserted('loft.oats')), { number: 544 });
    await assert.rejects(one.batch('set identity_insert loft.chaff on'), { number: 1088 });
    await one.batch('drop table loft.oats, oats drop schema loft');
  });

  test('a schema that cannot be found undoes the transaction', async () => {
    await one.batch('create table straw (id int)');
    await one.batch('begin transaction insert straw values (1)');
    await assert.rejects(one.batch('create table badschema.t1 (test1 char(5) not null)'), { number: 2760 });
    assert.equal(await count(other, 'straw'), 0);
    await one.batch('drop table straw');
  });
});
