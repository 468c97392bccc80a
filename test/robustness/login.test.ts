import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { loginFlags } from '../../src/tds/message/login7.ts';
import { encryption, type Prelogin } from '../../src/tds/message/prelogin.ts';
import { packetTypes } from '../../src/tds/packet/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import type { TestServer } from '../support/server.ts';
import { answers, nobodyIsLeft, servesOn, startLab } from './support/lab-server.ts';
import { loginPayload, preloginPayload, RawClient } from './support/raw-client.ts';
import { changes, ending, errors, only, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

/** Waits until no session has that login any more. */
async function nobodyElse(client: RawClient, login: string): Promise<void> {
  await until(`nobody is logged in as ${login}`, async () => {
    const tokens = await client.batch(`select count(*) from sys.dm_exec_sessions where login_name = '${login}'`);
    return rows(tokens)[0]?.[0] === 0;
  });
}

describe('PRELOGIN and LOGIN7', () => {
  let server: TestServer;
  before(async () => {
    server = await startLab();
    await server.granary.accounts.create('outsider', 'Knock-Knock-1');
    await server.granary.accounts.create('forgetful', 'Old-Password-1', { database: 'Lab', role: 'reader' });
  });
  after(() => server[Symbol.asyncDispose]());

  /** Logs in on a fresh connection, after PRELOGIN, and returns what the server says until it closes. */
  async function refusal(...args: Parameters<RawClient['logIn']>) {
    await using client = await RawClient.connect(server.port);
    await client.prelogin();
    const tokens = await client.logIn(...args);
    assert.equal((await client.lastWords()).length, 0);
    assert.equal(ending(tokens), 'done 2');
    assert.deepEqual(only(tokens, 'loginAck'), []);
    return tokens;
  }

  test('MS-TDS 2.2.6.5: a PRELOGIN whose offsets lie is 17828', async () => {
    for (const change of [
      (payload: Buffer) => payload.writeUInt16BE(60_000, 1),
      (payload: Buffer) => payload.writeUInt16BE(60_000, 3),
      (payload: Buffer) => payload.fill(0x00, 5, 6) && payload.fill(0xee, 15, 16),
    ]) {
      await using client = await RawClient.connect(server.port);
      const payload = preloginPayload();
      change(payload);
      client.send(packetTypes.prelogin, payload);
      const tokens = await client.lastWords();
      assert.deepEqual(errors(tokens), [17828]);
      assert.equal(ending(tokens), 'done 2');
    }
    await servesOn(server);
  });

  test('PRELOGIN is answered with INSTOPT only where the client sent it (MS-TDS 2.2.6.5)', async () => {
    const answerTo = async (changes: Prelogin) => {
      await using client = await RawClient.connect(server.port);
      return (await client.prelogin(changes)).instance;
    };
    assert.equal(await answerTo({ instance: 'MSSQLServer' }), '');
    assert.equal(await answerTo({}), undefined);
  });

  test('HOST_ID is the ClientPID of LOGIN7 (MS-TDS 2.2.6.4), as is host_process_id', async () => {
    await using client = await RawClient.connect(server.port);
    await client.prelogin();
    await client.logIn({ clientPid: 4242 });
    const tokens = await client.batch(
      'select host_id(), host_process_id from sys.dm_exec_sessions where session_id = @@spid',
    );
    assert.deepEqual(rows(tokens), [['4242      ', 4242]]);
  });

  test('an empty PRELOGIN and one without an end are 17828', async () => {
    for (const payload of [Buffer.alloc(0), Buffer.of(0), preloginPayload().subarray(0, 14)]) {
      await using client = await RawClient.connect(server.port);
      client.send(packetTypes.prelogin, payload);
      assert.deepEqual(errors(await client.lastWords()), [17828]);
    }
  });

  test('PRELOGIN again and again is 17828', async () => {
    await using client = await RawClient.connect(server.port);
    await client.prelogin();
    await client.prelogin();
    client.send(packetTypes.prelogin, preloginPayload());
    assert.deepEqual(errors(await client.lastWords()), [17828]);
  });

  test('MS-TDS 2.2.6.5: PRELOGIN is answered with what the server has, and federated authentication with nothing', async () => {
    await using client = await RawClient.connect(server.port);
    const answer = await client.prelogin({ mars: true });
    assert.equal(answer.mars, true);
    assert.equal(answer.encryption, encryption.notSupported);
    assert.equal(answer.federatedAuthentication, undefined);
  });

  test('MS-TDS 2.2.6.4: a LOGIN7 whose lengths lie is 17832', async () => {
    const length = loginPayload().length;
    for (const [at, value] of [
      [36, 60_000], // ibHostName
      [42, 30_000], // cchUserName
      [44, 0], // ibPassword before the fixed part
      [0, length + 1],
    ] as const) {
      await using client = await RawClient.connect(server.port);
      await client.prelogin();
      const payload = loginPayload({ hostName: 'here' });
      payload.writeUInt16LE(value, at);
      client.send(packetTypes.login7, payload);
      assert.deepEqual(errors(await client.lastWords()), [17832], `${value} at ${at}`);
    }
    await servesOn(server);
  });

  test('a LOGIN7 that is cut short anywhere is 17832', async () => {
    const whole = loginPayload();
    for (let length = 0; length < whole.length; length += 7) {
      await using client = await RawClient.connect(server.port);
      client.send(packetTypes.login7, whole.subarray(0, length));
      assert.deepEqual(errors(await client.lastWords()), [17832], `${length} bytes`);
    }
  });

  test('LOGIN7 as the first message is let in, as jTDS sends it', async () => {
    await using client = await RawClient.connect(server.port);
    const tokens = await client.logIn({ tdsVersion: tdsVersions['7.1'], packetSize: 0 });
    assert.deepEqual(errors(tokens), []);
    assert.equal(only(tokens, 'loginAck')[0]?.tdsVersion, tdsVersions['7.1']);
    await answers(client);
  });

  test('a login of TDS 4 or 5 (packet type 2) is refused in tokens that such a client reads', async () => {
    await using client = await RawClient.connect(server.port);
    client.send(packetTypes.oldLogin, Buffer.alloc(563));
    const payload = await client.payload();
    assert.ok(payload);
    assert.equal(payload[0], 0xaa);
    assert.equal(payload.readUInt32LE(3), 17832);
    const text = payload.toString('latin1', 11, 11 + payload.readUInt16LE(9));
    assert.match(text, /TDS 5\.0 or older/);
    const done = payload.subarray(3 + payload.readUInt16LE(1));
    assert.equal(done.toString('hex'), 'fd0200000000000000');
    assert.equal(await client.payload(), undefined);
  });

  test('a wrong password and an unknown login are both 18456', async () => {
    for (const given of [{ password: 'wrong' }, { userName: 'nobody' }, { password: '' }]) {
      const tokens = await refusal(given);
      assert.deepEqual(errors(tokens), [18456]);
      const [error] = only(tokens, 'error');
      assert.deepEqual([error?.severity, error?.state], [14, 1]);
    }
    await servesOn(server);
  });

  test('an unknown database is 4060, then 18456', async () => {
    assert.deepEqual(errors(await refusal({ database: 'Nowhere' })), [4060, 18456]);
  });

  test('a login without a role on the database is 916', async () => {
    assert.deepEqual(errors(await refusal({ userName: 'outsider', password: 'Knock-Knock-1' })), [916]);
    await using client = await RawClient.login(server.port, {
      userName: 'outsider',
      password: 'Knock-Knock-1',
      database: '',
    });
    assert.equal(ending(await client.rpc('sp_databases')), 'doneProc 0');
  });

  test('MS-TDS 2.2.6.4: fODBC turns the options of the standard on; a client without it starts without them', async () => {
    const names = ['ansi_warnings', 'ansi_padding', 'ansi_nulls', 'quoted_identifier', 'ansi_null_dflt_on'];
    const asked = ['concat_null_yields_null', ...names].join(', ');
    for (const odbc of [true, false]) {
      const optionFlags2 = odbc ? loginFlags.odbc : 0;
      await using client = await RawClient.login(server.port, { optionFlags2 });
      const tokens = await client.batch(`select ${asked} from sys.dm_exec_sessions where session_id = @@spid`);
      assert.deepEqual(rows(tokens), [[odbc, odbc, odbc, odbc, odbc, odbc]]);
      assert.deepEqual(rows(await client.batch('select @@options & 5432')), [[odbc ? 5432 : 0]]);
    }
  });

  test('integrated security is 18452', async () => {
    assert.deepEqual(errors(await refusal({ optionFlags2: loginFlags.integratedSecurity })), [18452]);
    assert.deepEqual(errors(await refusal({ sspi: Buffer.from('NTLMSSP\0') })), [18452]);
  });

  test('MS-TDS 2.2.6.4: fChangePassword gives the login a new password', async () => {
    const asked = { userName: 'forgetful', optionFlags3: loginFlags.changePassword, newPassword: 'New-Password-2' };
    assert.deepEqual(errors(await refusal({ ...asked, password: 'wrong' })), [18456]);
    await using client = await RawClient.login(server.port, { ...asked, password: 'Old-Password-1' });
    await answers(client);
    assert.deepEqual(errors(await refusal({ userName: 'forgetful', password: 'Old-Password-1' })), [18456]);
    await using again = await RawClient.login(server.port, { userName: 'forgetful', password: 'New-Password-2' });
    await answers(again);
  });

  describe('CREATE, ALTER and DROP LOGIN', () => {
    const batch = async (client: RawClient, text: string) => errors(await client.batch(text));
    const tries = async (userName: string, given: string) => {
      await using client = await RawClient.connect(server.port);
      await client.prelogin();
      return errors(await client.logIn({ userName, password: given, database: 'tempdb' }));
    };

    test('18488 until a password that must be changed has been', async () => {
      await using sa = await RawClient.login(server.port);
      const options = 'must_change, default_database = tempdb, check_expiration = on, check_policy = on';
      assert.deepEqual(await batch(sa, `create login novice with password = 'First-Pass-1' ${options}`), []);
      assert.deepEqual(await tries('novice', 'First-Pass-1'), [18488]);
      const asked = { userName: 'novice', database: 'tempdb', optionFlags3: loginFlags.changePassword };
      {
        const changed = { ...asked, password: 'First-Pass-1', newPassword: 'Second-Pass-2' };
        await using client = await RawClient.login(server.port, changed);
        assert.deepEqual(await batch(sa, 'drop login novice'), [15434], 'somebody is logged in so');
        assert.deepEqual(await batch(client, 'drop login novice'), [15247]);
      }
      assert.deepEqual(await tries('novice', 'First-Pass-1'), [18456]);
      assert.deepEqual(await tries('novice', 'Second-Pass-2'), []);
      await nobodyElse(sa, 'novice');
      assert.deepEqual(await batch(sa, 'drop login novice'), []);
      assert.deepEqual(await batch(sa, 'drop login novice'), [15151]);
      assert.deepEqual(await tries('novice', 'Second-Pass-2'), [18456]);
    });

    test('an administrator changes every password, another login its own with the old one', async () => {
      await using sa = await RawClient.login(server.port);
      await batch(sa, "create login [odd one] with password = N'One-1'");
      assert.deepEqual(await batch(sa, "create login [ODD ONE] with password = 'Two-2'"), [15025]);
      assert.deepEqual(await batch(sa, "alter login [odd one] with password = 'Two-2'"), []);
      await using own = await RawClient.login(server.port, {
        userName: 'odd one',
        password: 'Two-2',
        database: 'tempdb',
      });
      assert.deepEqual(await batch(own, "alter login [odd one] with password = 'Three-3'"), [15151]);
      const change = (old: string) => `alter login [odd one] with password = 'Three-3' old_password = '${old}'`;
      assert.deepEqual(await batch(own, change('wrong')), [15151]);
      assert.deepEqual(await batch(own, "alter login sa with password = 'x' old_password = 'Two-2'"), [15151]);
      assert.deepEqual(await batch(own, "create login other with password = 'x'"), [15247]);
      assert.deepEqual(await batch(own, change('Two-2')), []);
      assert.deepEqual(await tries('odd one', 'Three-3'), []);
    });

    test('what makes no sense is refused', async () => {
      await using sa = await RawClient.login(server.port);
      assert.deepEqual(await batch(sa, "create login x with password = 'a' must_change"), [15128]);
      assert.deepEqual(await batch(sa, 'create login x with password = 1'), [102]);
      assert.deepEqual(await batch(sa, 'create login x from windows'), [15407]);
      assert.deepEqual(await batch(sa, "alter login nobody with password = 'a'"), [15151]);
      assert.deepEqual(await batch(sa, 'drop login sa'), [15434]);
    });
  });

  test('a version of TDS that nobody speaks is 17832', async () => {
    await using client = await RawClient.connect(server.port);
    client.send(packetTypes.login7, loginPayload({ tdsVersion: 0x60000000 }));
    assert.deepEqual(errors(await client.lastWords()), [17832]);
  });

  test('MS-TDS 2.2.6.4: a client newer than 7.4 is answered with 7.4', async () => {
    await using client = await RawClient.connect(server.port);
    client.send(packetTypes.login7, loginPayload({ tdsVersion: 0x75000000 }));
    const [ack] = only(await client.tokens(), 'loginAck');
    assert.equal(ack?.tdsVersion, tdsVersions['7.4']);
  });

  test('MS-TDS 2.2.7.9: the login tells database, collation, language and packet size', async () => {
    await using client = await RawClient.connect(server.port);
    await client.prelogin();
    const tokens = await client.logIn();
    assert.deepEqual(changes(tokens), ['database', 'collation', 'language', 'packetSize']);
    assert.deepEqual(
      only(tokens, 'info').map(({ number, state }) => [number, state]),
      [
        [5701, 2],
        [5703, 1],
      ],
    );
    const [used] = only(await client.batch('use master'), 'info');
    assert.deepEqual([used?.number, used?.state], [5701, 1]);
  });

  test('after all of this nobody is left connected', () => nobodyIsLeft(server));
});
