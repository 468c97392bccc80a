import { identifierOrder } from '../../../src/base/identifier-order.ts';
import { fold } from '../../../src/base/text/collation.ts';
import type { Db } from '../../../src/engine/db.ts';
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
  smallint,
  uniqueidentifier,
} from '../../../src/tds/types/index.ts';

/** A row of Pictures: a value of every kind that the engine may compare, and of some that it may not. */
export interface Picture {
  readonly n: number | null;
  readonly big: bigint;
  readonly small: number | null;
  readonly flag: boolean | null;
  readonly at: Date | null;
  readonly owner: string | null;
  readonly name: string | null;
  readonly note: string;
  readonly ratio: number | null;
}

/** A row of Frames; only those that are shown are in the relation. */
export interface Frame {
  readonly picture: number | null;
  readonly m: number | null;
  readonly code: string;
  readonly day: Date;
  readonly shown: boolean;
}

/** A kind of database to ask questions about. */
export const gallery: Kind = {
  name: 'gallery',
  firstDatabase: 'Gallery',
  procedures: [],
  relations: [
    relation({
      name: 'Pictures',
      from: sql`pictures`,
      primaryKey: ['Id'],
      indexes: [['At']],
      columns: {
        Id: stored(int, 'id'),
        N: stored(orNull(int), 'n'),
        Big: stored(bigint, 'big'),
        Small: stored(orNull(smallint), 'small'),
        Flag: stored(orNull(bit), 'flag'),
        At: stored(orNull(datetime), 'at'),
        Owner: stored(orNull(uniqueidentifier), 'owner', { order: 'owner_order' }),
        Name: stored(orNull(nvarchar(20)), 'name', { key: 'name_key' }),
        Note: stored(nvarchar(20), 'note'),
        Ratio: stored(orNull(float), 'ratio'),
      },
    }),
    relation({
      name: 'Frames',
      from: sql`frames f join walls w on w.id = f.wall`,
      where: sql`w.shown = 1`,
      primaryKey: ['Id'],
      columns: {
        Id: stored(int, 'f.id'),
        PictureId: stored(orNull(int), 'f.picture'),
        M: stored(orNull(int), 'f.m'),
        Code: { ...stored(nvarchar(20), 'f.code'), key: sql`f.code_key` },
        Day: stored(datetime, 'f.day'),
      },
    }),
  ],
  schema: {
    kind: 'gallery',
    migrations: [
      {
        area: 'gallery',
        number: 1,
        name: 'gallery',
        text: `
          create table pictures (
            id bigint not null primary key, n bigint, big bigint not null, small bigint, flag bigint, at bigint, owner text,
            owner_order text, name text, name_key text, note text not null, ratio double precision
          );
          create index pictures_by_at on pictures (at);
          create table walls (id bigint not null primary key, shown bigint not null);
          create table frames (
            id bigint not null primary key, wall bigint not null, picture bigint, m bigint, code text not null,
            code_key text not null, day bigint not null
          );`,
      },
    ],
  },
};

const keyOf = (text: string | null): string | null => (text === null ? null : fold(text));

/** Puts these rows in the place of all others. */
export async function hang(db: Db, pictures: readonly Picture[], frames: readonly Frame[]): Promise<void> {
  for (const statement of [sql`delete from pictures`, sql`delete from frames`, sql`delete from walls`])
    await db.run(statement);
  await db.insert(
    'walls',
    ['id', 'shown'],
    [
      [0, 0],
      [1, 1],
    ],
  );
  await db.insert(
    'pictures',
    ['id', 'n', 'big', 'small', 'flag', 'at', 'owner', 'owner_order', 'name', 'name_key', 'note', 'ratio'],
    pictures.map(({ n, big, small, flag, at, owner, name, note, ratio }, index) => [
      index + 1,
      n,
      big,
      small,
      flag,
      at,
      owner,
      owner === null ? null : identifierOrder(owner),
      name,
      keyOf(name),
      note,
      ratio,
    ]),
  );
  await db.insert(
    'frames',
    ['id', 'wall', 'picture', 'm', 'code', 'code_key', 'day'],
    frames.map(({ picture, m, code, day, shown }, index) => [index + 1, shown, picture, m, code, keyOf(code), day]),
  );
}
