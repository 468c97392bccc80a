import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { packetize, packetTypes } from '../../src/tds/packet/index.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import type { TestServer } from '../support/server.ts';
import { arrival, departure } from './support/gate.ts';
import { answers, nobodyIsLeft, servesOn, startLab } from './support/lab-server.ts';
import { RawClient, rpcPayload } from './support/raw-client.ts';
import { ending, errors, only } from './support/tokens.ts';

/** The ways in which a client goes: with a reset of the connection, or by closing it. */
const ways = {
  'by a reset': (client: RawClient) => client.vanish(),
  'by a close': (client: RawClient) => client.socket.destroy(),
};

let lastId = 0n;
const put = (id = ++lastId) => [
  { type: bigint, value: id },
  { type: nvarchar('max'), value: 'a note' },
];
const begin = { kind: 'begin', isolation: 'unchanged', name: '' } as const;
const counting = [{ name: '@Total', type: int, value: null, byRef: true }];

forEngineOfRun((engine) => {
  describe('a client that vanishes', () => {
    let server: TestServer;
    before(async () => {
      server = await startLab({ engine });
    });
    after(() => server[Symbol.asyncDispose]());

    async function notes(): Promise<unknown> {
      await using client = await RawClient.login(server.port);
      return only(await client.rpc('lab_Count', counting), 'returnValue')[0]?.value;
    }

    for (const [way, go] of Object.entries(ways)) {
      test(`${way} before it said anything leaves nothing`, async () => {
        go(await RawClient.connect(server.port));
        await nobodyIsLeft(server);
      });

      test(`${way} in the middle of its login leaves nothing`, async () => {
        const client = await RawClient.connect(server.port);
        await client.prelogin();
        client.write(Buffer.of(packetTypes.login7, 1, 0, 200, 0, 0));
        go(client);
        await nobodyIsLeft(server);
      });

      test(`${way} while its password is checked leaves nothing`, async () => {
        const client = await RawClient.connect(server.port);
        await client.prelogin();
        void client.logIn({ userName: 'nobody' }).catch(() => {}); // it never reads the answer
        go(client);
        await nobodyIsLeft(server);
      });

      test(`${way} in the middle of a TLS handshake leaves nothing`, async () => {
        const client = await RawClient.connect(server.port);
        assert.equal((await client.prelogin({ encryption: 1 })).encryption, 1);
        const hello = Buffer.from('16030100c8010000c40303', 'hex');
        client.write(packetize(hello, { type: packetTypes.prelogin, packetSize: 4096 }));
        go(client);
        await nobodyIsLeft(server);
      });

      test(`${way} in the middle of a TDS 8 handshake leaves nothing`, async () => {
        const client = await RawClient.connect(server.port);
        client.write(Buffer.from('16030100c8010000c40303', 'hex'));
        go(client);
        await nobodyIsLeft(server);
      });

      test(`${way} in the middle of a message runs nothing of it`, async () => {
        const before = await notes();
        const client = await RawClient.login(server.port);
        const whole = packetize(rpcPayload([{ procedure: 'lab_Put', params: put() }]), {
          type: packetTypes.rpc,
          packetSize: 4096,
        });
        client.write(whole.subarray(0, whole.length - 3));
        go(client);
        await nobodyIsLeft(server);
        assert.equal(await notes(), before);
      });

      for (const procedure of ['lab_Generate', 'lab_Select']) {
        test(`${way} in the middle of the rows of ${procedure} ends the call`, async () => {
          const client = await RawClient.login(server.port);
          client.sendRpc([{ procedure, params: [{ type: int, value: 50_000_000 }] }]);
          await client.packet();
          client.socket.pause();
          go(client);
          await nobodyIsLeft(server);
          await servesOn(server);
        });
      }

      test(`${way} in the middle of a large value ends the call`, async () => {
        const client = await RawClient.login(server.port);
        client.sendRpc([{ procedure: 'lab_Image', params: [{ type: int, value: 2000 }] }]);
        await client.packet();
        go(client);
        await nobodyIsLeft(server);
      });

      test(`${way} while its call waits cancels the call`, async () => {
        const client = await RawClient.login(server.port);
        const gate = randomUUID();
        client.sendRpc([{ procedure: 'lab_Wait', params: [{ type: nvarchar(50), value: gate }] }]);
        await arrival(gate);
        go(client);
        assert.equal(await departure(gate), 'cancelled');
        await nobodyIsLeft(server);
      });

      test(`${way} in a transaction undoes it and frees its locks`, async () => {
        const before = await notes();
        await using other = await RawClient.login(server.port);
        const client = await RawClient.login(server.port);
        await client.transaction(begin);
        const id = ++lastId;
        assert.equal(ending(await client.rpc('lab_Put', put(id))), 'doneProc 4');
        other.sendRpc([{ procedure: 'lab_Put', params: put(id) }]); // waits for the lock
        await servesOn(server);
        go(client);
        const tokens = await other.tokens();
        assert.deepEqual(errors(tokens), []);
        assert.equal(await notes(), Number(before) + 1);
        await other[Symbol.asyncDispose]();
        await nobodyIsLeft(server);
      });

      test(`${way} while it waits for a lock waits no more`, async () => {
        await using holder = await RawClient.login(server.port);
        await holder.transaction(begin);
        await holder.rpc('lab_Put', put());
        const before = await RawClient.login(server.port);
        before.sendRpc([{ procedure: 'lab_Put', params: put() }]);
        await servesOn(server);
        go(before);
        await nobodyIsLeft(server, 1);
        assert.equal(ending(await holder.transaction({ kind: 'commit', name: '', thenBegin: undefined })), 'done 0');
      });

      test(`${way} while it holds an application lock gives it back`, async () => {
        const resource = [
          { name: '@Resource', type: nvarchar(255), value: 'door' },
          { name: '@LockMode', type: nvarchar(32), value: 'Exclusive' },
          { name: '@LockOwner', type: nvarchar(32), value: 'Session' },
        ];
        const client = await RawClient.login(server.port);
        assert.equal(only(await client.rpc('sp_getapplock', resource), 'returnStatus')[0]?.status, 0);
        await using other = await RawClient.login(server.port);
        other.sendRpc([{ procedure: 'sp_getapplock', params: resource }]);
        await servesOn(server);
        go(client);
        assert.equal(only(await other.tokens(), 'returnStatus')[0]?.status, 1);
      });
    }

    test('in the middle of a message that is still being sent, after an error, is not waited for', async () => {
      const client = await RawClient.login(server.port);
      client.write(Buffer.of(0x2a, 1, 0, 8, 0, 0, 0, 0));
      client.write(Buffer.alloc(1024 * 1024));
      assert.deepEqual(errors(await client.lastWords()), [4002]);
      client.vanish();
      await nobodyIsLeft(server);
    });

    test('leaves the others as they were', async () => {
      await using other = await RawClient.login(server.port);
      for (let count = 0; count < 50; count++) {
        const client = await RawClient.login(server.port);
        client.sendRpc([{ procedure: 'lab_Generate', params: [{ type: int, value: 100_000 }] }]);
        client.vanish();
        await answers(other);
      }
      await nobodyIsLeft(server, 1);
    });
  });
});
