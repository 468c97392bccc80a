import type { Stored } from '../../../src/base/stored.ts';
import type { Schema } from '../../../src/engine/engine.ts';

export const number: Stored<number> = { fromStore: (stored) => Number(stored) };
export const text: Stored<string> = { fromStore: (stored) => String(stored) };
export const moment: Stored<Date> = { fromStore: (stored) => new Date(Number(stored)) };
export const flag: Stored<boolean> = { fromStore: (stored) => stored === 1 };
export const wide: Stored<bigint> = {
  wide: true,
  fromStore(stored) {
    if (typeof stored !== 'bigint') throw new TypeError(`A wide column came as ${typeof stored}.`);
    return stored;
  },
};
export const bytes: Stored<Uint8Array> = {
  fromStore(stored) {
    if (!(stored instanceof Uint8Array)) throw new TypeError(`A column of bytes came as ${typeof stored}.`);
    return new Uint8Array(stored);
  },
};

/** A small shop of tables that shows every kind of column and constraint. */
export const shop: Schema = {
  kind: 'shop',
  migrations: [
    {
      area: 'shop',
      number: 1,
      name: 'shop',
      text: `
        create table counters (id bigint not null primary key, n bigint not null) without rowid;
        create table things (
          id bigint not null primary key,
          name text, big bigint, part double precision, body blob, at bigint, ok bigint
        );
        create table boxes (
          id bigint not null primary key,
          label text not null,
          size bigint not null constraint boxes_size check (size > 0)
        );
        create unique index boxes_by_label on boxes (label);
        create table items (
          box bigint not null,
          place bigint not null,
          primary key (box, place),
          constraint items_box foreign key (box) references boxes (id)
        );
        create table tickets (id integer primary key autoincrement, note text);
        create table log (number bigint not null primary key, note text not null);
      `,
    },
  ],
};
