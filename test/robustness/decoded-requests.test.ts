import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce, inTurns } from '../../src/base/threads/steps.ts';
import { pace, Turn } from '../../src/base/threads/turn.ts';
import { decodeLongRpc } from '../../src/tds/message/rpc.ts';
import { packetTypes } from '../../src/tds/packet/index.ts';
import { int, nvarchar } from '../../src/tds/types/index.ts';
import { modern } from '../../src/tds/version.ts';
import { longestUsualTurn } from '../support/longest-turn.ts';
import { memoryInUse } from '../support/memory-in-use.ts';
import { roundsOf } from '../support/rounds-of.ts';
import { startLab } from './support/lab-server.ts';
import { RawClient, rpcPayload, written } from './support/raw-client.ts';
import { errors, only, rows } from './support/tokens.ts';

// Alone in its process: it measures memory, and how long others wait.

/** A column without a name, by its type: MS-TDS 2.2.5.5.5.2. */
const column = (type: readonly number[], flags = 0) => Buffer.from([0, 0, 0, 0, flags & 0xff, flags >> 8, ...type, 0]);
const byDefault = column([0x26, 4], 0x200);
const tinyint = column([0x26, 1]);
const decimal = column([0x6a, 17, 38, 0]);

/** A table-valued parameter of the type t. */
const table = (columns: readonly Buffer[], tableRows: Buffer) =>
  Buffer.concat([
    Buffer.from([0, 0, 0xf3, 0, 0, 1, 0x74, 0, columns.length & 0xff, columns.length >> 8]),
    ...columns,
    Buffer.of(0),
    tableRows,
    Buffer.of(0),
  ]);

/** A call of sp_executesql with parameters that are bytes. */
const call = (params: readonly Buffer[]) => {
  const name = written((out) => {
    out.usVarchar('sp_executesql');
    out.u16(0);
  });
  return Buffer.concat([rpcPayload([]), name, ...params]);
};

/** Requests whose parts would take many times the memory of their bytes. */
const requests: Readonly<Record<string, Buffer>> = {
  'a table of rows of defaults': call([table([byDefault], Buffer.alloc(2_000_000, 1))]),
  'a table of rows of NULL': call([table([tinyint], Buffer.alloc(2_000_000, Buffer.of(1, 0)))]),
  'a table of rows of many NULLs': call([
    table(Array(1024).fill(tinyint), Buffer.alloc(1025 * 2000, Buffer.concat([Buffer.of(1), Buffer.alloc(1024)]))),
  ]),
  'tables of many columns': call(Array(200).fill(table(Array(1024).fill(decimal), Buffer.alloc(0)))),
  'calls of many parameters': rpcPayload(
    Array(200).fill({ procedure: 'p', params: Array(2000).fill({ type: int, value: null }) }),
  ),
};

describe('a long request', () => {
  for (const [what, payload] of Object.entries(requests)) {
    test(`of ${what} takes little more memory than its bytes, and others have their turn meanwhile`, async () => {
      const before = memoryInUse();
      const request = atOnce(decodeLongRpc(payload, modern));
      const more = memoryInUse() - before;
      assert.ok(more < 2 * payload.length, `${more} bytes for ${payload.length}`);
      assert.ok(atOnce(request.next()));
      const turn = await longestUsualTurn(() => inTurns(decodeLongRpc(payload, modern), new Turn()), 50);
      assert.ok(turn <= 50, `${turn} ms`);
    });
  }

  test('is decoded in turns on the wire too', async (t) => {
    await using server = await startLab();
    await using client = await RawClient.login(server.port);
    const usual = pace.turnLength;
    t.after(() => {
      pace.turnLength = usual;
    });
    pace.turnLength = 0;
    const rounds = await roundsOf(async () => {
      client.send(packetTypes.rpc, call(Array(200).fill(table(Array(1024).fill(decimal), Buffer.alloc(0)))));
      await client.tokens();
    });
    // One for each table at least.
    assert.ok(rounds >= 200, `${rounds} rounds`);
  });

  test('of several calls is answered as they come, and is refused whole when its last call is cut', async () => {
    await using server = await startLab();
    await using client = await RawClient.login(server.port);
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(30_000));
    const calls = texts.map((value) => ({ procedure: 'lab_Echo', params: [{ type: nvarchar('max'), value }] }));
    client.sendRpc(calls);
    const tokens = await client.tokens();
    assert.deepEqual(rows(tokens).flat(), texts);
    assert.equal(only(tokens, 'doneProc').length, 3);
    client.send(packetTypes.rpc, rpcPayload(calls).subarray(0, -10));
    const cut = await client.tokens();
    assert.deepEqual([errors(cut), rows(cut)], [[4002], []]);
  });
});
