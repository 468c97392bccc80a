import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEngineOfRun } from '../support/long-run.ts';
import { startLab } from './support/lab-server.ts';
import { loginAs, makeLogin } from './support/logins.ts';
import { RawClient } from './support/raw-client.ts';
import { errors, only, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

/** The bit of DONE that answers an attention. */
const attentionDone = 0x20;

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

  test('a view of tempdb shows nobody more than they may read, and only administrators make views', async () => {
    await using server = await startLab({ engine });
    await makeLogin(server.port, 'low');
    await makeLogin(server.port, 'reader', 'db_datareader');
    await using sa = await RawClient.login(server.port, { database: 'tempdb' });
    await using low = await loginAs(server.port, 'low', 'tempdb');
    await using reader = await loginAs(server.port, 'reader', 'tempdb');
    assert.deepEqual(errors(await sa.batch('create view samples as select count(*) as n from Lab.sys.objects')), []);
    assert.equal(rows(await reader.batch('select n from samples')).length, 1);
    assert.deepEqual(errors(await low.batch('select n from samples')), [916]);
    for (const text of ['create view x as select 1 as a', 'create or alter view samples as select 1 as a'])
      assert.deepEqual(errors(await low.batch(text)), [262]);
    assert.deepEqual(errors(await low.batch('alter view samples as select 1 as a')), [262]);
    assert.deepEqual(errors(await low.batch('drop view samples')), [3701]);
    assert.deepEqual(errors(await sa.batch('drop view samples')), []);
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

  test('a login without a role learns neither where databases lie and how large they are, nor which logins there are', async () => {
    await using server = await startLab({ engine });
    await makeLogin(server.port, 'low');
    await makeLogin(server.port, 'other', 'db_datareader');
    await using sa = await RawClient.login(server.port);
    await using low = await loginAs(server.port, 'low', 'master');
    await using other = await loginAs(server.port, 'other');
    const about = rows(await sa.batch("select suser_id('other'), suser_sid('other')"))[0] ?? [];
    assert.ok(about.every((value) => value !== null));
    const [id, sid] = [about[0], `0x${Buffer.from(about[1] as Uint8Array).toString('hex')}`];
    const questions = [
      'select top 1 1 from sys.master_files',
      'select top 1 1 from sys.sysaltfiles',
      "select 1 where suser_id('other') is not null",
      "select 1 where suser_sid('other') is not null",
      `select 1 where suser_name(${id}) is not null`,
      `select 1 where suser_sname(${sid}) is not null`,
      "select 1 from sys.server_principals where name = 'other'",
      "select 1 from sys.sql_logins where name = 'other'",
      "select 1 from sys.syslogins where name = 'other'",
    ];
    for (const question of questions) {
      assert.equal(rows(await sa.batch(question)).length, 1, question);
      assert.deepEqual(rows(await low.batch(question)), [], question);
    }
    other.sendBatch("waitfor delay '00:01:00' -- what nobody else is to read");
    const [spid] =
      rows(await sa.batch("select session_id from sys.dm_exec_sessions where login_name = 'other'"))[0] ?? [];
    const running = `select 1 from sys.dm_exec_input_buffer(${spid}, 0) where event_info like '%nobody else%'`;
    await until('it runs', async () => rows(await sa.batch(running)).length === 1);
    assert.deepEqual(rows(await low.batch(running)), []);
    other.attention();
    while (!only(await other.tokens(), 'done').some(({ status }) => (status & attentionDone) !== 0));
    const refusals = [
      "alter login other with password = 'Staple-Battery-9'",
      'drop login other',
      "exec sp_defaultdb 'other', 'Lab'",
    ];
    for (const refused of refusals) {
      const found = errors(await low.batch(refused));
      assert.notDeepEqual(found, [], refused);
      // What is there and what is not are refused alike.
      assert.deepEqual(errors(await low.batch(refused.replace('other', 'nobody'))), found, refused);
    }
    // The files of a database are for those who are in it.
    assert.equal(rows(await other.batch('select name from sys.database_files')).length, 2);
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
