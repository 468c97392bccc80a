import { sql } from '../../../src/engine/sql.ts';
import { orNull } from '../../../src/procedure/declare.ts';
import type { Kind } from '../../../src/procedure/kind.ts';
import { relation, stored } from '../../../src/procedure/relations/relation.ts';
import {
  bigint,
  bit,
  datetime,
  float,
  int,
  nvarchar,
  uniqueidentifier,
  varbinary,
} from '../../../src/tds/types/index.ts';

/** A kind of database whose tables clients write: one with all that a column can be, one that may only be filled. */
export const ledger: Kind = {
  name: 'ledger',
  firstDatabase: 'Ledger',
  procedures: [],
  relations: [
    relation({
      name: 'Entries',
      from: sql`entries`,
      primaryKey: ['Id'],
      uniqueKeys: [['Code']],
      changes: { table: 'entries', allow: ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] },
      columns: {
        Id: stored(bigint, 'id', { identity: true }),
        Code: stored(nvarchar(10), 'code', { key: 'code_key' }),
        Amount: stored(int, 'amount', { byDefault: 7 }),
        Open: stored(orNull(bit), 'open'),
        At: stored(orNull(datetime), 'at'),
        Owner: stored(orNull(uniqueidentifier), 'owner'),
        Body: stored(orNull(varbinary(20)), 'body'),
        Share: stored(orNull(float), 'share'),
        Note: stored(orNull(nvarchar('max')), 'note'),
      },
    }),
    relation({
      name: 'Pairs',
      from: sql`pairs`,
      primaryKey: ['Name', 'Number'],
      changes: { table: 'pairs', allow: ['INSERT', 'UPDATE', 'DELETE'] },
      columns: {
        Name: stored(nvarchar(20), 'name', { key: 'name_key' }),
        Number: stored(int, 'number'),
        Value: stored(orNull(int), 'value'),
      },
    }),
    relation({
      name: 'Cells',
      from: sql`cells`,
      primaryKey: ['Name', 'Number'],
      changes: { table: 'cells', allow: ['INSERT', 'UPDATE', 'DELETE'] },
      columns: {
        Name: stored(nvarchar(6), 'name', { key: 'name_key' }),
        Number: stored(int, 'number'),
        Value: stored(orNull(int), 'value', { byDefault: 5 }),
      },
    }),
    relation({
      name: 'Events',
      from: sql`events`,
      changes: { table: 'events', allow: ['INSERT', 'DELETE'], rowId: 'id' },
      columns: { What: stored(nvarchar(50), 'what') },
    }),
    relation({ name: 'Fixed', from: sql`fixed`, primaryKey: ['Id'], columns: { Id: stored(int, 'id') } }),
  ],
  schema: {
    kind: 'ledger',
    migrations: [
      {
        area: 'ledger',
        number: 1,
        name: 'ledger',
        text: `
          create table entries (
            id integer primary key autoincrement,
            code text not null, code_key text not null unique,
            amount bigint not null, open bigint, at bigint, owner text, body blob, share double precision, note text
          );
          create table pairs (
            name text not null, name_key text not null, number bigint not null, value bigint,
            primary key (name_key, number)
          );
          create unique index pairs_by_value on pairs (value);
          create table cells (
            name text not null, name_key text not null, number bigint not null, value bigint,
            primary key (name_key, number)
          );
          create table events (id integer primary key autoincrement, what text not null);
          create table fixed (id bigint not null primary key);`,
      },
    ],
  },
};
