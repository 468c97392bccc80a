import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { packetize, packetStatus, packetTypes } from '../../src/tds/packet/index.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import { longestUsualTurn } from '../support/longest-turn.ts';
import type { TestServer } from '../support/server.ts';
import { answers, startLab } from './support/lab-server.ts';
import { RawClient, rpcPayload, written } from './support/raw-client.ts';
import { ending, errors, only, rows } from './support/tokens.ts';

// Alone in its process: it measures how long others wait for the event loop.

const echo = (text: string) => ({ procedure: 'lab_Echo', params: [{ type: nvarchar('max'), value: text }] });

describe('MS-TDS 2.2.6.6: RPC', () => {
  let server: TestServer;
  let client: RawClient;
  before(async () => {
    server = await startLab();
    client = await RawClient.login(server.port);
  });
  after(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Sends a call whose parameters are these bytes. */
  async function call(params: Buffer) {
    const name = written((out) => {
      out.usVarchar('lab_Echo');
      out.u16(0);
    });
    client.send(packetTypes.rpc, Buffer.concat([rpcPayload([]), name, params]));
    return client.tokens();
  }

  test('MS-TDS 2.2.5.4: a parameter of an unknown type is 8009, and the session goes on', async () => {
    const tokens = await call(Buffer.of(0, 0, 0x99, 1, 2, 3));
    const [error] = only(tokens, 'error');
    assert.equal(error?.number, 8009);
    assert.match(error.text, /Parameter 1 \(""\): Data type 0x99 is unknown/);
    assert.equal(ending(tokens), 'done 2');
    await answers(client);
  });

  test('nvarchar with an odd length is 8028, and the session goes on', async () => {
    const tokens = await call(Buffer.from('0000e71400 0904100000 0300 616263'.replaceAll(' ', ''), 'hex'));
    assert.deepEqual(errors(tokens), [8028]);
    await answers(client);
  });

  test('a value that is longer than its type says is 8016, and the session goes on', async () => {
    const tokens = await call(Buffer.from('0000e70200 0904100000 0400 61006200'.replaceAll(' ', ''), 'hex'));
    assert.deepEqual(errors(tokens), [8016]);
    await answers(client);
  });

  test('a call that is cut short is 4002, and the session goes on', async () => {
    const whole = rpcPayload([echo('a text that is cut')]);
    for (let length = 24; length < whole.length; length += 3) {
      client.send(packetTypes.rpc, whole.subarray(0, length));
      const numbers = errors(await client.tokens());
      // Cut between name and parameter it is a whole call of another kind: 8004 without a name, 201 without a value.
      assert.ok(
        [4002, 8004, 201].some((number) => numbers.join() === String(number)),
        `${length}: ${numbers}`,
      );
    }
    await answers(client);
  });

  test('more than 2100 parameters are 8003, and the session goes on', async () => {
    const params = Array.from({ length: 2101 }, () => ({ type: int, value: 1 }));
    assert.deepEqual(errors(await client.rpc('lab_Echo', params)), [8003]);
    assert.deepEqual(errors(await client.rpc('lab_Echo', params.slice(1))), [8144]);
    await answers(client);
  });

  test('a request of more calls than memory should hold is 4002, and the session goes on', async () => {
    const executes = Buffer.alloc(7 * 100_001, Buffer.from('ffff0c000000ff', 'hex'));
    client.send(packetTypes.rpc, Buffer.concat([rpcPayload([]), executes]));
    assert.deepEqual(errors(await client.tokens()), [4002]);
    await answers(client);
  });

  test('others have their turn while a request of 400,000 parameters is read', async () => {
    await using client = await RawClient.login(server.port);
    const params = Array.from({ length: 2000 }, () => ({ type: nvarchar(10), value: 'abc' }));
    const calls = Array.from({ length: 200 }, () => ({ procedure: 'lab_Echo', params, noExec: true }));
    const payload = rpcPayload(calls);
    const turn = await longestUsualTurn(async () => {
      client.send(packetTypes.rpc, payload);
      assert.equal(only(await client.tokens(), 'doneProc').length, 200);
    }, 50);
    assert.ok(turn <= 50, `${turn} ms`);
    await answers(client);
  });

  test('an unknown procedure is 2812 without a return status, and the session goes on', async () => {
    for (const name of ['lab_Nothing', 'dbo.lab_Nothing', 'elsewhere.lab_Echo']) {
      const tokens = await client.rpc(name);
      assert.deepEqual(errors(tokens), [2812]);
      assert.deepEqual(only(tokens, 'returnStatus'), []);
      assert.equal(ending(tokens), 'doneProc 2');
    }
    await answers(client);
  });

  test('MS-TDS 2.2.7.8: an error that a procedure goes on after marks its DONEINPROC, and not the DONEPROC', async () => {
    const told = async (text: string) => {
      const tokens = await client.rpc('sp_executesql', [{ type: nvarchar(4000), value: text }]);
      const ends = tokens.flatMap((token) =>
        token.token === 'doneInProc' || token.token === 'doneProc' ? [`${token.token} ${token.status & 2}`] : [],
      );
      return [...errors(tokens), ...ends];
    };
    const raise = "raiserror('An error occurred.', 11, 1)";
    const on = [50000, 'doneInProc 2', 'doneInProc 0', 'doneProc 0'];
    assert.deepEqual(await told(`${raise} select 'last'`), on);
    assert.deepEqual(await told(raise), [50000, 'doneInProc 2', 'doneProc 0']);
    assert.deepEqual(await told("throw 50000, 'An error occurred.', 1 select 'last'"), [
      50000,
      'doneInProc 2',
      'doneProc 2',
    ]);
    await answers(client);
  });

  test('a procedure number that nobody has is 2812', async () => {
    assert.deepEqual(errors(await client.rpc(4711)), [2812]);
  });

  test('a name of no characters, or of too many, is 8004', async () => {
    for (const length of [0, 1047]) {
      const name = written((out) => {
        out.u16(length);
        out.ucs2('x'.repeat(length));
        out.u16(0);
      });
      client.send(packetTypes.rpc, Buffer.concat([rpcPayload([]), name]));
      assert.deepEqual(errors(await client.tokens()), [8004]);
    }
  });

  for (const version of ['7.1', '7.2', '7.4'] as const) {
    test(`several calls in one message of TDS ${version} are answered one after the other, failed ones too`, async () => {
      await using other = await RawClient.login(server.port, { tdsVersion: tdsVersions[version] });
      // NoExecFlag came with 7.2.
      const takenBack = version === '7.1' ? [] : [{ ...echo('never'), noExec: true }];
      other.sendRpc([echo('one'), { procedure: 'lab_Nothing' }, ...takenBack, echo('two')]);
      const tokens = await other.tokens();
      assert.deepEqual(rows(tokens), [['one'], ['two']]);
      assert.deepEqual(errors(tokens), [2812]);
      assert.deepEqual(
        only(tokens, 'doneProc').map(({ status }) => status),
        [1, 3, ...takenBack.map(() => 3), 0],
      );
    });
  }

  test('of several calls in one message, those behind an error that ends a batch are not run', async () => {
    const sql = (text: string) => ({ procedure: 'sp_executesql', params: [{ type: nvarchar(4000), value: text }] });
    const told = async (...texts: readonly string[]) => {
      client.sendRpc(texts.map(sql));
      const tokens = await client.tokens();
      return { rows: rows(tokens).flat(), errors: errors(tokens), end: ending(tokens) };
    };
    assert.deepEqual(await told('select 1', "select 2 where 2 = 'x'", 'select 3'), {
      rows: [1],
      errors: [245],
      end: 'doneProc 2',
    });
    assert.deepEqual(await told('select 1', 'select * from nope', 'select 1/0', 'select 4'), {
      rows: [1, 4],
      errors: [208, 8134],
      end: 'doneProc 0',
    });
    assert.deepEqual(await told('set xact_abort on select 1/0', 'select 2'), {
      rows: [],
      errors: [8134],
      end: 'doneProc 2',
    });
  });

  test('MS-TDS 2.2.1.7: a request that the client takes back is not run, and answered with DONE_ERROR alone', async () => {
    const whole = packetize(rpcPayload([{ procedure: 'lab_Put', params: [{ type: bigint, value: 1n }] }]), {
      type: packetTypes.rpc,
      packetSize: 4096,
    });
    whole.writeUInt8(packetStatus.endOfMessage | packetStatus.ignore, 1);
    client.write(whole);
    const tokens = await client.tokens();
    assert.equal(tokens.length, 1);
    assert.equal(ending(tokens), 'done 2');
    const counted = await client.rpc('lab_Count', [{ name: '@Total', type: int, value: null, byRef: true }]);
    assert.equal(only(counted, 'returnValue')[0]?.value, 0);
  });

  for (const packetSize of [512, 513, 4096, 8000, 16_383, 32_767]) {
    test(`MS-TDS 2.2.3: packets of ${packetSize} bytes go both ways`, async () => {
      await using other = await RawClient.login(server.port, { packetSize });
      assert.equal(other.packetSize, packetSize);
      for (const length of [0, 1, packetSize / 2, packetSize - 100, 3 * packetSize, 100_000]) {
        const text = '€'.repeat(Math.floor(length));
        other.sendRpc([echo(text)]);
        const sizes: number[] = [];
        const payloads: Buffer[] = [];
        for (let packet = await other.packet(); packet; packet = await other.packet()) {
          sizes.push(packet.payload.length + 8);
          payloads.push(packet.payload);
          if (packet.status & packetStatus.endOfMessage) break;
        }
        assert.ok(sizes.slice(0, -1).every((size) => size === packetSize));
        assert.ok(Number(sizes.at(-1)) <= packetSize);
        assert.ok(Buffer.concat(payloads).includes(Buffer.from(text, 'utf16le')));
      }
    });
  }

  test('a request split anywhere, into TCP chunks and packets, is the same request', async () => {
    await using other = await RawClient.login(server.port, { packetSize: 512 });
    const text = 'a request of several packets '.repeat(20);
    const whole = packetize(rpcPayload([echo(text)]), { type: packetTypes.rpc, packetSize: 512 });
    assert.ok(whole.length > 1024);
    for (let at = 1; at < whole.length; at += at < 600 ? 1 : 7) {
      other.write(whole.subarray(0, at));
      // The kernel may join what follows at once, so the rest waits for another turn.
      await new Promise((resolve) => setImmediate(resolve));
      other.write(whole.subarray(at));
      assert.deepEqual(rows(await other.tokens()), [[text]]);
    }
  });

  test('a request that comes byte by byte is answered', async () => {
    await using other = await RawClient.login(server.port, { packetSize: 512 });
    const whole = packetize(rpcPayload([echo('drop by drop'.repeat(50))]), { type: packetTypes.rpc, packetSize: 512 });
    for (const byte of whole) {
      other.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(errors(await other.tokens()), []);
  });

  test('requests sent without waiting for answers are answered in order', async () => {
    await using other = await RawClient.login(server.port);
    for (let number = 0; number < 500; number++) other.sendRpc([echo(`request ${number}`)]);
    for (let number = 0; number < 500; number++) assert.deepEqual(rows(await other.tokens()), [[`request ${number}`]]);
  });
});
