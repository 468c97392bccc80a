import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type EngineName, forEachEngine, openEngine } from '../../test/support/engines.ts';
import { ManualClock } from '../base/clock.ts';
import { sql } from '../engine/sql.ts';
import { Accounts } from './accounts.ts';
import { ntHash } from './nt-hash.ts';
import { accountsSchema } from './schema.ts';
import { Throttle } from './throttle.ts';

const cheap = { N: 1024, r: 8, p: 1 };
const here = '127.0.0.1';

/** Logins in an engine of their own; `another` is what a second process on the same data has. */
async function openAccounts(name: EngineName) {
  const clock = new ManualClock();
  const engine = await openEngine(name, { schemas: [accountsSchema], clock });
  const throttle = () => new Throttle(clock, undefined, async (milliseconds) => clock.advance(milliseconds));
  const another = (cost = cheap) => new Accounts(engine.system, { clock, cost, throttle: throttle() });
  return { accounts: another(), another, clock, engine, [Symbol.asyncDispose]: () => engine.stop() };
}

const withNumber = (number: number) => (error: unknown) =>
  error instanceof Error && 'number' in error && error.number === number;

test('a password that was right before waits for nobody: neither those who are slowed down nor the queue are asked', async () => {
  await using opened = await openAccounts('sqlite');
  class Closed extends Throttle {
    override attempt(): Promise<never> {
      return Promise.reject(new Error('asked'));
    }
  }
  const { clock, engine } = opened;
  const accounts = new Accounts(engine.system, { clock, cost: cheap, throttle: new Closed(clock) });
  await accounts.create('farm', 'secret');
  assert.equal((await accounts.verify('farm', 'secret', here))?.login, 'farm');
  await assert.rejects(accounts.verify('farm', 'another', here), /asked/);
});

describe('Accounts', () =>
  forEachEngine((engine) => {
    test('a login gets in with its password only, whatever the case of its name', async () => {
      await using opened = await openAccounts(engine);
      const { accounts } = opened;
      await accounts.create('Farm', 'secret');
      assert.deepEqual(await accounts.verify('FARM', 'secret', here), { login: 'Farm', mustChangePassword: false });
      assert.equal(await accounts.verify('Farm', 'Secret', here), undefined);
      assert.equal(await accounts.verify('Farm', '', here), undefined);
      assert.equal(await accounts.verify('Nobody', 'secret', here), undefined);
    });

    test('a password that is to be changed is told as such until it has been', async () => {
      await using opened = await openAccounts(engine);
      const { accounts } = opened;
      const isDue = async (password: string) => (await accounts.verify('farm', password, here))?.mustChangePassword;
      await accounts.create('farm', 'first', undefined, true);
      assert.equal(await isDue('first'), true);
      await accounts.setPassword('farm', 'second');
      assert.deepEqual([await isDue('first'), await isDue('second')], [undefined, false]);
      await accounts.setPassword('farm', 'third', true);
      assert.equal(await isDue('third'), true);
    });

    test('a name is taken once, in any case', async () => {
      await using opened = await openAccounts(engine);
      await opened.accounts.create('farm', 'secret');
      await assert.rejects(opened.accounts.create('FARM', 'other'), withNumber(15025));
    });

    test('a name that the collation takes for another is that: nobody is shown as somebody else', async () => {
      await using opened = await openAccounts(engine);
      await opened.accounts.create('strasse', 'secret');
      await opened.accounts.createAdministrator('secret');
      for (const name of ['stra\u00dfe', 'STRAS\u00adSE', 's\u00ada'])
        await assert.rejects(opened.accounts.create(name, 'other'), withNumber(15025), name);
      await assert.rejects(
        opened.accounts.windows.create('corp\\stra\u00dfe').then(() => opened.accounts.windows.create('CORP\\strasse')),
        withNumber(15025),
      );
    });

    test('a name or a password that no login can have is refused', async () => {
      await using opened = await openAccounts(engine);
      for (const name of ['', ' x', 'x ', 'DOMAIN\\user', 'a\nb', 'x'.repeat(129)]) {
        await assert.rejects(opened.accounts.create(name, 'secret'), withNumber(50000), JSON.stringify(name));
      }
      for (const password of ['', 'x'.repeat(129)]) {
        await assert.rejects(opened.accounts.create('farm', password), withNumber(50000));
      }
      assert.deepEqual(await opened.accounts.list(), []);
    });

    test('the store holds no password', async () => {
      await using opened = await openAccounts(engine);
      await opened.accounts.create('farm', 'correct horse');
      const text = { fromStore: String };
      const row = await opened.engine.system.read((db) =>
        db.first({ hash: text }, sql`select password_hash as "hash" from logins`),
      );
      assert.match(row?.hash ?? '', /^scrypt\$1024\$8\$1\$/);
      assert.doesNotMatch(row?.hash ?? '', /correct|horse/);
    });

    test('a changed password counts at once, also in another process that knew the old one', async () => {
      await using opened = await openAccounts(engine);
      const [one, other] = [opened.accounts, opened.another()];
      await one.create('farm', 'old');
      assert.ok(await other.verify('farm', 'old', here));
      await one.setPassword('FARM', 'new');
      assert.equal(await other.verify('farm', 'old', here), undefined);
      assert.ok(await other.verify('farm', 'new', here));
      await assert.rejects(one.setPassword('nobody', 'new'), withNumber(15151));
    });

    test('a login that was dropped does not get in, nor does its role outlive it', async () => {
      await using opened = await openAccounts(engine);
      const [one, other] = [opened.accounts, opened.another()];
      await one.create('farm', 'secret', { database: 'Config', role: 'writer' });
      assert.ok(await other.verify('farm', 'secret', here));
      await one.drop('Farm');
      assert.equal(await other.verify('farm', 'secret', here), undefined);
      await one.create('farm', 'secret');
      assert.equal(await other.roleOn('farm', 'Config'), undefined);
      await assert.rejects(one.drop('nobody'), withNumber(15151));
    });

    test('a role holds on its database, one on * on all, and the stronger of both counts', async () => {
      await using opened = await openAccounts(engine);
      const { accounts } = opened;
      await accounts.create('farm', 'secret');
      assert.equal(await accounts.roleOn('farm', 'Config'), undefined);
      await accounts.grant('farm', { database: 'Config', role: 'writer' });
      assert.equal(await accounts.roleOn('FARM', 'CONFIG'), 'writer');
      assert.equal(await accounts.roleOn('farm', 'Other'), undefined);
      await accounts.grant('farm', { database: '*', role: 'reader' });
      assert.equal(await accounts.roleOn('farm', 'Config'), 'writer');
      assert.equal(await accounts.roleOn('farm', 'Other'), 'reader');
      await accounts.grant('farm', { database: 'config', role: 'reader' });
      assert.equal(await accounts.roleOn('farm', 'Config'), 'reader');
      assert.equal(await accounts.revoke('farm', 'Config'), true);
      assert.equal(await accounts.revoke('farm', 'Config'), false);
      assert.equal(await accounts.roleOn('farm', 'Config'), 'reader');
      await accounts.revoke('farm', '*');
      assert.equal(await accounts.roleOn('farm', 'Config'), undefined);
      await assert.rejects(accounts.grant('nobody', { database: '*', role: 'admin' }), withNumber(15151));
      await assert.rejects(accounts.revoke('nobody', '*'), withNumber(15151));
    });

    test('the list tells every login with its roles', async () => {
      await using opened = await openAccounts(engine);
      const { accounts, clock } = opened;
      await accounts.createAdministrator('secret');
      await accounts.create('Farm', 'secret', { database: 'Config', role: 'writer' });
      assert.deepEqual(await accounts.list(), [
        { name: 'Farm', kind: 'sql', sid: null, created: clock.now(), roles: [{ database: 'Config', role: 'writer' }] },
        { name: 'sa', kind: 'sql', sid: null, created: clock.now(), roles: [{ database: '*', role: 'admin' }] },
      ]);
    });

    test('the administrator is made once, may do everything, and can be neither dropped nor stripped', async () => {
      await using opened = await openAccounts(engine);
      const { accounts } = opened;
      assert.equal(await accounts.hasAdministrator(), false);
      assert.deepEqual(
        await Promise.all([accounts.createAdministrator('first'), opened.another().createAdministrator('second')]).then(
          (made) => made.toSorted(),
        ),
        [false, true],
      );
      assert.equal(await accounts.hasAdministrator(), true);
      assert.equal(await accounts.roleOn('SA', 'anything'), 'admin');
      await assert.rejects(accounts.drop('SA'), withNumber(15151));
      await assert.rejects(accounts.revoke('sa', '*'), withNumber(15151));
    });

    test('a Windows login is made without a password, once, whatever its case, and no password opens it', async () => {
      await using opened = await openAccounts(engine);
      const { accounts } = opened;
      await accounts.windows.create('CORP\\Alice', {}, { database: 'Config', role: 'writer' });
      await assert.rejects(accounts.windows.create('corp\\ALICE'), withNumber(15025));
      for (const password of ['', 'secret'])
        assert.equal(await accounts.verify('CORP\\Alice', password, here), undefined);
      await assert.rejects(accounts.setPassword('CORP\\Alice', 'secret'), withNumber(50000));
      const [entry] = await accounts.list();
      assert.deepEqual([entry?.name, entry?.kind, entry?.sid], ['CORP\\Alice', 'user', null]);
      await accounts.drop('corp\\alice');
      assert.equal(await accounts.windows.admit({ name: 'CORP\\Alice', groups: [] }), undefined);
    });

    test('a name that no Windows login can have is refused (15407)', async () => {
      await using opened = await openAccounts(engine);
      const names = ['', 'alice', '\\alice', 'CORP\\', 'a\\b\\c', 'CORP\\ x', 'C\\a\nb', `CORP\\${'x'.repeat(124)}`];
      for (const name of names) {
        await assert.rejects(opened.accounts.windows.create(name), withNumber(15407), JSON.stringify(name));
      }
      await assert.rejects(opened.accounts.windows.create('CORP\\Farmers', { sid: 'S-1' }), withNumber(50000));
    });

    test('who comes in through several groups has the roles of all of them, and the strongest counts', async () => {
      await using opened = await openAccounts(engine);
      const { accounts } = opened;
      const domainSid = 'S-1-5-21-1-2-3';
      await accounts.windows.create(
        'CORP\\Farmers',
        { sid: `${domainSid}-1104` },
        { database: 'Config', role: 'reader' },
      );
      await accounts.windows.create(`${domainSid}-1105`, {}, { database: 'Config', role: 'writer' });
      await accounts.windows.create('corp\\Domain Users', {}, { database: 'Other', role: 'reader' });
      await accounts.windows.create('ELSEWHERE\\Domain Users', {}, { database: '*', role: 'admin' });
      const admit = (...rids: number[]) =>
        accounts.windows.admit({ name: 'CORP\\alice', domainSid, groups: rids.map((rid) => `${domainSid}-${rid}`) });
      assert.equal(await admit(), undefined);
      assert.deepEqual(await admit(1104), { login: 'CORP\\alice', through: ['CORP\\Farmers'] });
      const all = await admit(513, 1104, 1105);
      assert.deepEqual(
        all?.through.toSorted(),
        ['CORP\\Farmers', `${domainSid}-1105`, 'corp\\Domain Users'].toSorted(),
      );
      const roles = ['Config', 'Other', 'Third'].map((database) => accounts.roleOfAny(all?.through ?? [], database));
      assert.deepEqual(await Promise.all(roles), ['writer', 'reader', undefined]);
      const standing = { strongest: 'writer', isAdministrator: false };
      assert.deepEqual(await accounts.standing(['gone', ...(all?.through ?? [])]), standing);
      assert.equal(await accounts.standing(['gone']), undefined);
      await accounts.windows.create('corp\\ALICE');
      assert.equal((await admit(1104))?.login, 'corp\\ALICE');
    });

    test('an account that is kept for NTLM is proven by the hash of its password, and guessing is slowed down', async () => {
      await using opened = await openAccounts(engine);
      const { accounts, clock } = opened;
      await accounts.windows.create('FARM\\crawler', { password: 'secret' });
      const proves = (password: string) => (hash: Uint8Array) => ntHash(password).equals(hash);
      const prove = (name: string, password: string) => accounts.windows.prove(name, '10.0.0.9', proves(password));
      assert.deepEqual(await prove('farm\\CRAWLER', 'secret'), { login: 'FARM\\crawler' });
      assert.equal(await accounts.verify('FARM\\crawler', 'secret', here), undefined);
      assert.equal(await prove('FARM\\nobody', 'secret'), undefined);
      await accounts.setPassword('FARM\\crawler', 'other');
      const began = clock.now().getTime();
      for (let i = 0; i < 5; i++) assert.equal(await prove('FARM\\crawler', 'secret'), undefined);
      assert.equal(clock.now().getTime() - began, 250 + 500);
      assert.ok(await prove('FARM\\crawler', 'other'));
    });

    test('a guesser waits longer and longer; the right password never waits', async () => {
      await using opened = await openAccounts(engine);
      const { accounts, clock } = opened;
      await accounts.create('sa', 'secret');
      const began = clock.now().getTime();
      for (let i = 0; i < 10; i++) assert.equal(await accounts.verify('sa', `guess ${i}`, '10.0.0.9'), undefined);
      assert.equal(clock.now().getTime() - began, 250 + 500 + 1000 + 2000 + 4000 + 8000 + 8000);
      const meanwhile = clock.now().getTime();
      assert.ok(await accounts.verify('sa', 'secret', here));
      assert.ok(await accounts.verify('sa', 'secret', '10.0.0.9'));
      assert.ok(await opened.another().verify('sa', 'secret', '10.0.0.9'), 'also where nobody remembers it');
      assert.equal(clock.now().getTime(), meanwhile);
    });

    test('a password hashed at a lower cost is hashed anew at the next login', async () => {
      await using opened = await openAccounts(engine);
      await opened.accounts.create('farm', 'secret');
      const raised = opened.another({ ...cheap, N: 2048 });
      assert.ok(await raised.verify('farm', 'secret', here));
      const row = await opened.engine.system.read((db) =>
        db.first({ hash: { fromStore: String } }, sql`select password_hash as "hash" from logins`),
      );
      assert.match(row?.hash ?? '', /^scrypt\$2048\$/);
      assert.ok(await opened.accounts.verify('farm', 'secret', here));
    });
  }));
