import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Role } from '../../../src/accounts/role.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { until } from '../../robustness/support/until.ts';
import { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const home = translation.firstDatabase;

forEachEngine((engine) => {
  describe('roles over the wire', () => {
    let server: TestServer;
    const clients: TestClient[] = [];
    before(async () => {
      server = await startServer({ engine, kinds: [translation] });
    });
    after(async () => {
      for (const client of clients) await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    async function logIn(name: string, database: string): Promise<TestClient> {
      const { options, server: host } = server.config(database);
      const authentication = { type: 'default' as const, options: { userName: name, password: 'secret' } };
      const client = await TestClient.open({ server: host, options: options ?? {}, authentication });
      clients.push(client);
      return client;
    }

    async function loggedIn(name: string, role: Role, database = home, into = database): Promise<TestClient> {
      await server.granary.accounts.create(name, 'secret', { database, role });
      return logIn(name, into === '*' ? home : into);
    }

    const refusedWith = (number: number) => (error: unknown) =>
      error instanceof Error && 'number' in error && error.number === number;

    test('a reader reads and selects; what writes is 229', async () => {
      const reader = await loggedIn('reader', 'reader');
      assert.equal((await reader.batch('exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0')).status, 0);
      assert.equal((await reader.batch('select 1 as one from sys.procedures')).sets.length, 1);
      await assert.rejects(reader.batch('exec proc_UpdateSucceededItem 1, 1, 1'), refusedWith(229));
      await assert.rejects(reader.rpc('proc_UpdateSucceededItem'), refusedWith(229));
    });

    test('a writer calls every procedure, and is 229 where administrators are asked for', async () => {
      const writer = await loggedIn('writer', 'writer');
      assert.equal((await writer.batch('exec proc_UpdateSucceededItem 1, 1, 1')).status, 0);
      await assert.rejects(writer.batch("exec sp_create_database 'Mine', 'translation'"), refusedWith(229));
      await assert.rejects(writer.batch("exec sp_addrolemember 'db_owner', 'writer'"), refusedWith(229));
      await assert.rejects(writer.batch(`drop database ${home}`), refusedWith(3701));
      await assert.rejects(writer.batch('create database Mine'), refusedWith(262));
      await assert.rejects(writer.batch("create login mine with password = 'x'"), refusedWith(15247));
    });

    test('CREATE LOGIN … FROM WINDOWS makes users and groups, and the catalog lists them as types U and G', async () => {
      await using sa = await TestClient.open(server.config('master'));
      await sa.batch(
        "if suser_id(N'CORP\\alice') is null create login [CORP\\alice] from windows with default_database = master",
      );
      const told = await sa.batch(
        "select suser_sname(suser_sid(N'corp\\ALICE')) as name, suser_name(suser_id(N'CORP\\alice')) as again",
      );
      assert.deepEqual(told.sets[0]?.[0], { name: 'CORP\\alice', again: 'CORP\\alice' });
      await sa.batch(
        `create login [CORP\\Farmers] from windows with sid = 0x010500000000000515000000dcf4dc3b833d2b46828ba62850040000`,
      );
      await sa.batch('create login [CORP\\Domain Users] from windows');
      await sa.batch("create login [FARM\\crawler] from windows with password = 'secret'");
      await assert.rejects(sa.batch('create login [corp\\ALICE] from windows'), refusedWith(15025));
      await assert.rejects(sa.batch('create login [alice] from windows'), refusedWith(15407));
      await assert.rejects(sa.batch('create login [CORP\\x] from windows with sid = 0x01'), refusedWith(50000));
      await sa.batch(`use ${home} exec sp_addrolemember 'db_datareader', 'CORP\\alice'`);
      const listed = await sa.batch(
        `select name, type, type_desc from sys.server_principals where type in ('U', 'G') order by name`,
      );
      assert.deepEqual(
        listed.sets[0]?.map(({ name, type, type_desc: described }) => [name, type, described]),
        [
          ['CORP\\alice', 'U', 'WINDOWS_LOGIN'],
          ['CORP\\Domain Users', 'G', 'WINDOWS_GROUP'],
          ['CORP\\Farmers', 'G', 'WINDOWS_GROUP'],
          ['FARM\\crawler', 'U', 'WINDOWS_LOGIN'],
        ],
      );
      const users = await sa.batch(`select name from ${home}.sys.database_principals where type = 'U'`);
      assert.deepEqual(users.sets[0], [{ name: 'CORP\\alice' }]);
      const sid = await sa.batch("select sid from sys.server_principals where name = 'CORP\\Farmers'");
      assert.equal(
        Buffer.from(sid.sets[0]?.[0]?.['sid'] as Uint8Array).toString('hex'),
        '010500000000000515000000dcf4dc3b833d2b46828ba62850040000',
      );
      await sa.batch('drop login [CORP\\Alice] drop login [CORP\\Farmers] drop login [CORP\\Domain Users]');
      const writer = await loggedIn('maker', 'writer');
      await assert.rejects(writer.batch('create login [CORP\\bob] from windows'), refusedWith(15247));
    });

    test('an admin of a database gives and takes roles there, and drops it once nobody is in it', async () => {
      await server.granary.engine.create('Second', 'translation');
      const owner = await loggedIn('owner', 'admin', 'Second');
      await server.granary.accounts.create('friend', 'secret');
      await assert.rejects(logIn('friend', 'Second'), /not able to access the database "Second"/);
      await owner.batch("exec sp_addrolemember 'db_datareader', 'friend'");
      const friend = await logIn('friend', 'Second');
      await assert.rejects(friend.batch('exec proc_UpdateSucceededItem 1, 1, 1'), refusedWith(229));
      await owner.batch("exec sp_addrolemember 'DB_DataWriter', 'Friend'");
      const again = await logIn('friend', 'Second');
      assert.equal((await again.batch('exec proc_UpdateSucceededItem 1, 1, 1')).status, 0);
      await owner.batch("exec sp_droprolemember 'db_datareader', 'friend'");
      await logIn('friend', 'Second');
      await owner.batch("exec sp_droprolemember 'db_datawriter', 'friend'");
      await assert.rejects(logIn('friend', 'Second'), /not able to access the database "Second"/);
      await assert.rejects(owner.batch("exec sp_addrolemember 'db_nothing', 'friend'"), refusedWith(15014));
      await assert.rejects(owner.batch("exec sp_addrolemember 'db_owner', 'nobody'"), refusedWith(15151));
      await assert.rejects(owner.batch("exec sp_create_database 'Mine', 'translation'"), refusedWith(229));
      await assert.rejects(owner.batch('use master drop database Second'), refusedWith(3702));
      for (const client of clients.splice(0)) if (client !== owner) await client[Symbol.asyncDispose]();
      clients.push(owner);
      await until('only the owner is left', () => server.granary.connections === 1);
      await owner.batch('use master drop database Second');
      assert.equal(await server.granary.engine.open('Second'), undefined);
    });

    test('a database that a command has dropped is not there to be dropped (3701), though somebody is in it still', async () => {
      await server.granary.engine.create('Gone', 'translation');
      const admin = await loggedIn('dropper', 'admin', '*', 'master');
      await logIn('dropper', 'Gone');
      await assert.rejects(admin.batch('drop database Gone'), refusedWith(3702));
      await server.granary.engine.drop('Gone');
      await assert.rejects(admin.batch('drop database Gone'), refusedWith(3701));
    });

    test('an admin of all databases makes databases and logins as sa does', async () => {
      const admin = await loggedIn('boss', 'admin', '*');
      await admin.batch("exec sp_create_database N'Third', N'translation'");
      assert.equal((await server.granary.engine.open('Third'))?.kind, 'translation');
      await assert.rejects(admin.batch("exec sp_create_database 'third', 'translation'"), refusedWith(1801));
      await assert.rejects(admin.batch("exec sp_create_database 'Fourth', 'nothing'"), /no kind of database/);
      await assert.rejects(admin.batch('create database Fourth'), /exec sp_create_database N'Fourth'/);
      await admin.batch("create login helper with password = 'secret'");
      await admin.batch("use Third exec sp_addrolemember 'db_owner', 'helper'");
      await logIn('helper', 'Third');
      await assert.rejects(admin.batch('use master drop database master'), refusedWith(3708));
    });
  });
});
