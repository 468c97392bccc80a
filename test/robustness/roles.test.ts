import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEngineOfRun } from '../support/long-run.ts';
import { startLab } from './support/lab-server.ts';
import { loginAs, makeLogin } from './support/logins.ts';
import { RawClient } from './support/raw-client.ts';
import { errors, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

forEngineOfRun((engine) => {
  test('a global temporary procedure is its maker’s: others can neither change it nor be made to run theirs', async () => {
    await using server = await startLab({ engine });
    await makeLogin(server.port, 'low');
    await using sa = await RawClient.login(server.port);
    await using low = await loginAs(server.port, 'low', 'master');
    assert.deepEqual(errors(await sa.batch("create procedure ##helper as select 'helped'")), []);
    const escalation = "exec Lab.dbo.sp_addrolemember 'db_owner', 'low'";
    assert.deepEqual(errors(await low.batch(`alter procedure ##helper as ${escalation}`)), [15151]);
    assert.deepEqual(errors(await low.batch('drop procedure ##helper')), [3701]);
    assert.deepEqual(rows(await low.batch('exec ##helper')), [['helped']]);
    assert.deepEqual(errors(await low.batch(`create procedure ##trap as ${escalation}`)), []);
    assert.deepEqual(errors(await sa.batch('exec ##trap')), [229]);
    assert.deepEqual(errors(await low.batch('use Lab')), [916]);
    assert.deepEqual(errors(await sa.batch("alter procedure ##trap as select 'mended'")), []);
    assert.deepEqual(errors(await sa.batch('drop procedure ##trap')), []);
  });

  test('a global temporary procedure goes with the session that made it', async () => {
    await using server = await startLab({ engine });
    await using sa = await RawClient.login(server.port);
    {
      await using maker = await RawClient.login(server.port);
      assert.deepEqual(errors(await maker.batch("create procedure ##gone as select 'here'")), []);
      assert.deepEqual(rows(await sa.batch('exec ##gone')), [['here']]);
    }
    await until('it is gone', async () => errors(await sa.batch('exec ##gone'))[0] === 2812);
  });

  test('no database can be called *, which stands for all of them', async () => {
    await using server = await startLab({ engine });
    await using sa = await RawClient.login(server.port);
    assert.deepEqual(errors(await sa.batch("exec sp_create_database N'*', N'lab'")), [50000]);
    await makeLogin(server.port, 'low');
    await using low = await loginAs(server.port, 'low', 'master');
    assert.deepEqual(errors(await low.batch('use Lab')), [916]);
  });

  test('a login without a role sees itself only, an administrator everybody', async () => {
    await using server = await startLab({ engine });
    await makeLogin(server.port, 'low');
    await makeLogin(server.port, 'other', 'db_datareader');
    await using sa = await RawClient.login(server.port, { hostName: 'ADMINHOST' });
    await using _other = await loginAs(server.port, 'other');
    await using low = await loginAs(server.port, 'low', 'master');
    const logins = "select name from sys.server_principals where type = 'S' order by name";
    assert.deepEqual(rows(await low.batch(logins)), [['low']]);
    assert.deepEqual(rows(await sa.batch(logins)), [['low'], ['other'], ['sa']]);
    for (const [list, all] of [
      ['select login_name from sys.dm_exec_sessions', 3],
      ['select rtrim(loginame) from sys.sysprocesses', 4], // and a process of the server's own
      [
        'select s.login_name from sys.dm_exec_connections c join sys.dm_exec_sessions s on s.session_id = c.session_id',
        3,
      ],
    ] as const) {
      assert.deepEqual(rows(await low.batch(list)), [['low']], list);
      assert.equal(rows(await sa.batch(list)).length, all, list);
    }
    for (const who of ['sp_who', 'sp_who2']) {
      const seen = rows(await low.batch(`exec ${who}`));
      assert.equal(seen.length, 1, who);
      assert.doesNotMatch(JSON.stringify(seen), /ADMINHOST|other/);
      assert.match(JSON.stringify(rows(await sa.batch(`exec ${who}`))), /ADMINHOST/);
    }
  });

  test('a login sees neither the locks of others nor who waits for them', async () => {
    await using server = await startLab({ engine });
    await makeLogin(server.port, 'low');
    await using sa = await RawClient.login(server.port);
    await using other = await RawClient.login(server.port);
    await using low = await loginAs(server.port, 'low', 'master');
    const lock = "exec sp_getapplock 'payroll', 'Exclusive', 'Session'";
    const locks = "select count(*) from sys.dm_tran_locks where resource_type = 'APPLICATION'";
    const waits = "select cast(waiting_tasks_count as int) from sys.dm_os_wait_stats where wait_type = 'LCK_M_X'";
    const seenBy = async (client: RawClient) => [rows(await client.batch(locks)), rows(await client.batch(waits))];
    assert.deepEqual(errors(await sa.batch(lock)), []);
    other.sendBatch(lock);
    await until('the other waits', async () => rows(await sa.batch(waits))[0]?.[0] === 1);
    assert.deepEqual(await seenBy(sa), [[[2]], [[1]]]);
    assert.deepEqual(await seenBy(low), [[[0]], [[0]]]);
  });

  test('who administers one database sees who has a role on it, and no more', async () => {
    await using server = await startLab({ engine });
    await makeLogin(server.port, 'other', 'db_datareader');
    await makeLogin(server.port, 'stranger');
    await server.granary.accounts.create('chief', 'Battery-Staple-9', { database: 'Lab', role: 'admin' });
    await using chief = await loginAs(server.port, 'chief');
    assert.deepEqual(rows(await chief.batch("select name from sys.server_principals where type = 'S' order by name")), [
      ['chief'],
      ['other'],
    ]);
    assert.deepEqual(errors(await chief.batch("exec sp_droprolemember 'db_datareader', 'other'")), []);
    await assert.rejects(loginAs(server.port, 'other'), /916/);
  });
});
