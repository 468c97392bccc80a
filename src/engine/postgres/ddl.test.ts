import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresDdl } from './ddl.ts';

test('columns of text and bytes get the types of PostgreSQL', () => {
  assert.equal(
    postgresDdl('create table t (a text not null, "b c" Text, c blob, text text, n bigint) without rowid;'),
    'create table t (a text collate "C" not null, "b c" text collate "C", c bytea, text text collate "C", n bigint);',
  );
  assert.equal(postgresDdl('alter table t add column body blob'), 'alter table t add column body bytea');
});

test('names, literals, comments and casts are left alone', () => {
  for (const text of [
    "insert into t (a) values ('a text blob, it''s) without rowid')",
    'create index i on t (text, blob)',
    'select cast(a as text) from t',
    'update t set text = 1 where "x text" = 2',
    '-- a text blob\nselect 1',
  ]) {
    assert.equal(postgresDdl(text), text);
  }
});
