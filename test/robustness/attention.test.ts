import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Request, TYPES } from 'tedious';
import { type Packet, packetize, packetStatus, packetTypes } from '../../src/tds/packet/index.ts';
import { type Token, TokenParser } from '../../src/tds/token/index.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { modern, tdsVersions } from '../../src/tds/version.ts';
import { forEachEngine } from '../support/engines.ts';
import type { TestServer } from '../support/server.ts';
import { arrival, departure } from './support/gate.ts';
import { answers, servesOn, startLab } from './support/lab-server.ts';
import { RawClient, rpcPayload } from './support/raw-client.ts';
import { ending, errors, only, rows } from './support/tokens.ts';

const attentionPacket = packetize(Buffer.alloc(0), { type: packetTypes.attention, packetSize: 4096 });
const wait = (gate: string) => ({ procedure: 'lab_Wait', params: [{ type: nvarchar(50), value: gate }] });

/** The answer to a cancelled request ends in a plain DONE (jTDS takes DONE_ERROR for a failure), a second message is DONE_ATTN alone. */
async function acknowledged(client: RawClient): Promise<Token[]> {
  const cut = await client.tokens();
  assert.match(ending(cut), /^done [04]$/);
  assert.deepEqual(errors(cut), []);
  await acknowledgedIdle(client);
  return cut;
}

async function acknowledgedIdle(client: RawClient): Promise<void> {
  const tokens = await client.tokens();
  assert.equal(tokens.length, 1);
  assert.equal(ending(tokens), 'done 20');
}

forEachEngine((engine) => {
  describe('MS-TDS 2.2.1.7: attention', () => {
    let server: TestServer;
    before(async () => {
      server = await startLab({ engine });
    });
    after(() => server[Symbol.asyncDispose]());

    test('when nothing runs is acknowledged by DONE_ATTN alone', async () => {
      await using client = await RawClient.login(server.port);
      client.attention();
      await acknowledgedIdle(client);
      await answers(client);
    });

    test('several in a row are acknowledged each', async () => {
      await using client = await RawClient.login(server.port);
      for (let count = 0; count < 5; count++) client.attention();
      for (let count = 0; count < 5; count++) await acknowledgedIdle(client);
      await answers(client);
    });

    test('while a call waits ends the call', async () => {
      await using client = await RawClient.login(server.port);
      const gate = randomUUID();
      client.sendRpc([wait(gate)]);
      await arrival(gate);
      client.attention();
      await acknowledged(client);
      assert.equal(await departure(gate), 'cancelled');
      await answers(client);
    });

    test('twice while a call waits is acknowledged twice', async () => {
      await using client = await RawClient.login(server.port);
      const gate = randomUUID();
      client.sendRpc([wait(gate)]);
      await arrival(gate);
      client.write(Buffer.concat([attentionPacket, attentionPacket]));
      await acknowledged(client);
      await acknowledgedIdle(client);
      await answers(client);
    });

    test('in the same breath as its request ends the request', async () => {
      await using client = await RawClient.login(server.port);
      const request = packetize(rpcPayload([wait(randomUUID())]), { type: packetTypes.rpc, packetSize: 4096 });
      client.write(Buffer.concat([request, attentionPacket]));
      await acknowledged(client);
      await answers(client);
    });

    test('behind a request that is done is acknowledged, and harms nothing', async () => {
      await using client = await RawClient.login(server.port);
      await answers(client);
      client.attention();
      await acknowledgedIdle(client);
      await answers(client);
    });

    test('in the middle of a request that has not come whole drops it', async () => {
      await using client = await RawClient.login(server.port);
      const whole = packetize(rpcPayload([wait('never'.repeat(10))]), { type: packetTypes.rpc, packetSize: 4096 });
      whole.writeUInt8(0, 1); // not the end of the message
      client.write(Buffer.concat([whole, attentionPacket]));
      await acknowledgedIdle(client);
      await answers(client);
    });

    test('ends every call of a message of several', async () => {
      await using client = await RawClient.login(server.port);
      const gate = randomUUID();
      client.sendRpc([wait(gate), wait(`${gate} second`)]);
      await arrival(gate);
      client.attention();
      await acknowledged(client);
      await answers(client);
    });

    for (const procedure of ['lab_Generate', 'lab_Select']) {
      test(`in the middle of the rows of ${procedure} ends them soon, between two rows`, async () => {
        await using client = await RawClient.login(server.port);
        client.sendRpc([{ procedure, params: [{ type: int, value: 2_000_000 }] }]);
        let seen = 0;
        const ended = await client.each((token) => {
          if (token.token !== 'row') return;
          if (++seen === 100) client.attention();
        });
        assert.ok(ended);
        assert.ok(seen >= 100 && seen < 1_000_000, `${seen} rows came`);
        await acknowledgedIdle(client);
        await answers(client);
      });
    }

    test('while a call waits for a lock ends the waiting, and the lock is not taken later', async () => {
      await using holder = await RawClient.login(server.port);
      await using client = await RawClient.login(server.port);
      await holder.transaction({ kind: 'begin', isolation: 'unchanged', name: '' });
      assert.equal(ending(await holder.rpc('lab_Put', put(1n))), 'doneProc 4');
      client.sendRpc([{ procedure: 'lab_Put', params: put(2n) }]);
      await answers(holder); // a turn for the other to come to the lock
      client.attention();
      await acknowledged(client);
      await answers(client);
      await holder.transaction({ kind: 'commit', name: '', thenBegin: undefined });
      const tokens = await client.rpc('lab_Count', [{ name: '@Total', type: int, value: null, byRef: true }]);
      assert.equal(only(tokens, 'returnValue')[0]?.value, 1);
    });

    test('leaves what the transaction did before, and the transaction open', async () => {
      await using client = await RawClient.login(server.port);
      const gate = randomUUID();
      await client.transaction({ kind: 'begin', isolation: 'unchanged', name: '' });
      await client.rpc('lab_Put', put(10n));
      client.sendRpc([
        { procedure: 'lab_Put', params: [...put(11n), { name: '@Gate', type: nvarchar(50), value: gate }] },
      ]);
      await arrival(gate);
      client.attention();
      assert.equal(ending(await acknowledged(client)), 'done 4');
      const before = await client.rpc('lab_Count', [{ name: '@Total', type: int, value: null, byRef: true }]);
      await client.transaction({ kind: 'commit', name: '', thenBegin: undefined });
      const tokens = await client.rpc('lab_Count', [{ name: '@Total', type: int, value: null, byRef: true }]);
      assert.equal(only(tokens, 'returnValue')[0]?.value, only(before, 'returnValue')[0]?.value);
      assert.deepEqual(errors(await client.rpc('lab_Put', put(10n))), [2627]);
      assert.deepEqual(errors(await client.rpc('lab_Put', put(11n))), []);
    });

    test('in the middle of a large value fills it up, so that the row is whole', async () => {
      await using client = await RawClient.login(server.port, { packetSize: 32_767 });
      client.sendRpc([{ procedure: 'lab_Image', params: [{ type: int, value: 16 }] }]);
      const first = await client.packet();
      assert.ok(first);
      client.attention();
      const parser = new TokenParser(modern);
      for (let packet: Packet | undefined = first; packet; packet = await client.packet()) {
        parser.push(packet.payload);
        if (packet.status & packetStatus.endOfMessage) break;
      }
      parser.end();
      const tokens: Token[] = [];
      for (let token = parser.next(); token; token = parser.next()) tokens.push(token);
      const [[body, tail] = []] = rows(tokens);
      assert.ok(body instanceof Uint8Array);
      assert.deepEqual([body.length, body[0], body.at(-1), tail], [16 * 1024 * 1024, 0xab, 0, null]);
      assert.equal(ending(tokens), 'done 0');
      await acknowledgedIdle(client);
      await answers(client);
    });

    test('during WAITFOR DELAY ends it', async () => {
      await using client = await RawClient.login(server.port);
      const text = Buffer.from("waitfor delay '01:00:00'", 'utf16le');
      client.send(packetTypes.sqlBatch, Buffer.concat([rpcPayload([]), text]));
      await servesOn(server);
      client.attention();
      await acknowledged(client);
      await answers(client);
    });

    test('is understood in TDS 7.1 too', async () => {
      await using client = await RawClient.login(server.port, { tdsVersion: tdsVersions['7.1'] });
      const gate = randomUUID();
      client.sendRpc([wait(gate)]);
      await arrival(gate);
      client.attention();
      await acknowledged(client);
      await answers(client);
    });

    for (const encrypt of [false, true]) {
      test(`tedious' request.cancel() works ${encrypt ? 'with' : 'without'} TLS, in a wait and in the midst of rows`, async () => {
        await using client = await server.connect('Lab', { encrypt });
        const gate = randomUUID();
        const waiting = cancelled('lab_Wait');
        waiting.request.addParameter('Gate', TYPES.NVarChar, gate);
        client.connection.callProcedure(waiting.request);
        await arrival(gate);
        waiting.request.cancel();
        assert.equal(await waiting.code, 'ECANCEL');
        const reading = cancelled('lab_Select');
        reading.request.addParameter('Count', TYPES.Int, 1_000_000);
        client.connection.callProcedure(reading.request);
        await once(reading.request, 'row');
        reading.request.cancel();
        assert.equal(await reading.code, 'ECANCEL');
        const image = cancelled('lab_Image');
        image.request.addParameter('Megabytes', TYPES.Int, 8);
        client.connection.callProcedure(image.request);
        await once(image.request, 'columnMetadata');
        image.request.cancel();
        assert.equal(await image.code, 'ECANCEL');
        const { sets } = await client.rpc('lab_Echo', [{ name: 'Text', type: TYPES.NVarChar, value: 'on we go' }]);
        assert.deepEqual(sets, [[{ Text: 'on we go' }]]);
      });
    }

    test("tedious' request timeout ends the call and keeps the connection", async () => {
      await using client = await server.connect('Lab');
      let hasArrived = false;
      // On a machine that stands still for a moment the time is over before the call has come to its gate.
      for (let time = 100; !hasArrived; time *= 2) {
        const timed = cancelled('lab_Wait');
        const gate = randomUUID();
        void arrival(gate).then(() => {
          hasArrived = true;
        });
        timed.request.addParameter('Gate', TYPES.NVarChar, gate);
        timed.request.setTimeout(time);
        client.connection.callProcedure(timed.request);
        assert.equal(await timed.code, 'ETIMEOUT');
        if (hasArrived) assert.equal(await departure(gate), 'cancelled');
      }
      const { status } = await client.rpc('lab_Echo', [{ name: 'Text', type: TYPES.NVarChar, value: 'still' }]);
      assert.equal(status, 0);
    });
  });
});

const put = (id: bigint) => [
  { type: bigint, value: id },
  { type: nvarchar('max'), value: 'a note' },
];

/** A request of tedious, with the code of the error that it ends in. */
function cancelled(name: string): { request: Request; code: Promise<unknown> } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const request = new Request(name, (error) => resolve(error && 'code' in error ? error.code : error));
  return { request, code: promise };
}
