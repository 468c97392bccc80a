import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine, openEngine } from '../../test/support/engines.ts';
import { ManualClock } from '../base/clock.ts';
import { numberColumn } from '../engine/columns.ts';
import type { Db } from '../engine/db.ts';
import { sql } from '../engine/sql.ts';
import { Accounts } from './accounts.ts';
import { Administration } from './administration.ts';
import { accountsSchema } from './schema.ts';

const shop = {
  kind: 'shop',
  migrations: [{ area: 'shop', number: 1, name: 'shop', text: 'create table things (id bigint not null primary key)' }],
};

forEachEngine((name) => {
  test('a database and the roles on it are dropped in one step: either both are gone, or neither', async () => {
    const clock = new ManualClock();
    await using engine = await openEngine(name, { schemas: [accountsSchema, shop], clock });
    const accounts = new Accounts(engine.system, { clock, cost: { N: 1024, r: 8, p: 1 } });
    const administration = new Administration(engine, accounts);
    await administration.createDatabase('Config', 'shop');
    await administration.createLogin('farm', 'secret', { database: 'CONFIG', role: 'writer' });
    await engine.system.write((db) => db.run(sql`alter table login_roles rename to roles_aside`));
    await assert.rejects(administration.dropDatabase('Config'), /login_roles/);
    await engine.system.write((db) => db.run(sql`alter table roles_aside rename to login_roles`));
    const database = await engine.open('Config');
    assert.equal(await database?.write((db) => db.run(sql`insert into things (id) values (1)`)), 1);
    assert.equal(await accounts.roleOn('farm', 'Config'), 'writer');

    await administration.dropDatabase('config');
    assert.deepEqual([await engine.open('Config'), await accounts.roleOn('farm', 'Config')], [undefined, undefined]);
    await administration.createDatabase('Config', 'shop');
    assert.equal(await accounts.roleOn('farm', 'Config'), undefined, 'one of that name that is made later is another');
  });

  test('a database is there with what its kind begins with, or not at all; one that was half made is made again', async () => {
    const clock = new ManualClock();
    await using engine = await openEngine(name, { schemas: [accountsSchema, shop], clock });
    const accounts = new Accounts(engine.system, { clock, cost: { N: 1024, r: 8, p: 1 } });
    let isCut = true;
    const contents = async (db: Db) => {
      const there = await engine.list();
      assert.deepEqual([there, await engine.open('Config')], [[], undefined], 'nobody sees it before it is filled');
      await db.run(sql`insert into things (id) values (1)`);
      if (isCut) throw new Error('the power went');
    };
    const administration = new Administration(engine, accounts, (kind) => (kind === 'shop' ? contents : undefined));
    await assert.rejects(administration.createDatabase('Config', 'shop'), /the power went/);
    assert.deepEqual([await engine.list(), await engine.open('Config')], [[], undefined]);
    isCut = false;
    await administration.createDatabase('config', 'shop');
    const database = await engine.open('Config');
    const things = await database?.read((db) => db.all({ id: numberColumn }, sql`select id as "id" from things`));
    assert.deepEqual(things, [{ id: 1 }]);
  });
});
