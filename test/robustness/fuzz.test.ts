import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { jsonLog } from '../../src/base/log/log.ts';
import { isolationLevels, writeTransactionRequest } from '../../src/tds/message/transaction-request.ts';
import { packetize, packetStatus, packetTypes } from '../../src/tds/packet/index.ts';
import { bigint, datetime, image, int, nvarchar, sqlVariant, varbinary, xml } from '../../src/tds/types/index.ts';
import { modern } from '../../src/tds/version.ts';
import type { TestServer } from '../support/server.ts';
import { answers, nobodyIsLeft, servesOn, startLab } from './support/lab-server.ts';
import { loginPayload, preloginPayload, RawClient, rpcPayload, written } from './support/raw-client.ts';

// Alone in its process: it watches for rejections that nobody handles.

const message = (type: (typeof packetTypes)[keyof typeof packetTypes], payload: Buffer): Buffer =>
  packetize(payload, { type, packetSize: 4096 });

/** Good messages to spoil, before and after a login. */
const early = [
  message(packetTypes.prelogin, preloginPayload()),
  message(packetTypes.prelogin, preloginPayload({ encryption: 1 })),
  Buffer.concat([
    message(packetTypes.prelogin, preloginPayload()),
    message(packetTypes.login7, loginPayload({ hostName: 'fuzz', features: [{ id: 0x0a, data: Buffer.of(1) }] })),
  ]),
  message(packetTypes.login7, loginPayload()),
  message(packetTypes.oldLogin, Buffer.alloc(563)),
];
const late = [
  message(
    packetTypes.rpc,
    rpcPayload([
      {
        procedure: 'lab_Echo',
        params: [
          { name: '@Text', type: nvarchar('max'), value: 'some text' },
          { name: '@Loud', type: int, value: 1 },
        ],
      },
      {
        procedure: 'lab_Put',
        params: [
          { type: bigint, value: 5n },
          { type: xml, value: '<a/>' },
        ],
      },
    ]),
  ),
  message(
    packetTypes.rpc,
    rpcPayload([
      {
        procedure: 'sp_databases',
        params: [
          { type: datetime, value: new Date(0) },
          { type: varbinary('max'), value: Buffer.alloc(9) },
          { type: image, value: Buffer.alloc(3) },
          { type: sqlVariant, value: { type: int, value: 3 } },
        ],
      },
    ]),
  ),
  ...(['begin', 'commit', 'rollback'] as const).map((kind) =>
    message(
      packetTypes.transaction,
      written((out) => {
        const beginning = { isolation: isolationLevels[2], name: 'one' } as const;
        if (kind === 'begin') writeTransactionRequest(out, { kind, ...beginning }, modern);
        else writeTransactionRequest(out, { kind, name: '', thenBegin: beginning }, modern);
      }),
    ),
  ),
  message(packetTypes.bulkLoad, Buffer.of(0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0x38, 0)),
  message(packetTypes.attention, Buffer.alloc(0)),
];

const edit = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('set', 'cut', 'insert', 'ones', 'truncate'),
  byte: fc.integer({ min: 0, max: 255 }),
});

function spoiled(good: Buffer, edits: readonly { at: number; kind: string; byte: number }[]): Buffer {
  let bytes = Buffer.from(good);
  for (const { at, kind, byte } of edits) {
    const where = bytes.length === 0 ? 0 : at % bytes.length;
    const [head, tail] = [bytes.subarray(0, where), bytes.subarray(where)];
    if (kind === 'set') bytes = Buffer.concat([head, Buffer.of(byte), tail.subarray(1)]);
    if (kind === 'cut') bytes = Buffer.concat([head, tail.subarray(1 + byte)]);
    if (kind === 'insert') bytes = Buffer.concat([head, Buffer.alloc(1 + (byte % 8), byte), tail]);
    if (kind === 'ones') bytes = Buffer.concat([head, Buffer.alloc(4, 0xff), tail.subarray(4)]);
    if (kind === 'truncate') bytes = head;
  }
  return bytes;
}

const anyOf = (good: readonly Buffer[]) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...good), fc.array(edit, { minLength: 1, maxLength: 4 }))
        .map(([seed, edits]) => spoiled(seed, edits)),
    },
  );

describe('random and spoiled bytes', () => {
  let server: TestServer;
  const faults: string[] = [];
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  before(async () => {
    const log = jsonLog((line) => faults.push(line), 'error');
    server = await startLab({ settings: { loginTimeout: 60_000 }, log });
    process.on('unhandledRejection', onRejection);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    process.off('unhandledRejection', onRejection);
  });

  /** Sends bytes, hangs up its side, and reads until the server has closed its own: it always does. */
  async function survives(client: RawClient, bytes: Buffer): Promise<void> {
    client.socket.end(bytes);
    for (let packet = await client.packet(); packet; packet = await client.packet());
  }

  test('before a login are answered or refused, and the server serves on', async () => {
    await fc.assert(
      fc.asyncProperty(anyOf(early), async (bytes) => {
        await using client = await RawClient.connect(server.port);
        await survives(client, bytes);
      }),
      { numRuns: 300 },
    );
    await servesOn(server);
    await nobodyIsLeft(server);
  });

  test('after a login are answered or refused, and the server serves on', async () => {
    await fc.assert(
      fc.asyncProperty(anyOf(late), async (bytes) => {
        await using client = await RawClient.login(server.port);
        await survives(client, bytes);
      }),
      { numRuns: 300 },
    );
    await servesOn(server);
    await nobodyIsLeft(server);
  });

  test('as the payload of a well-formed packet never end the session', async () => {
    const types = [packetTypes.sqlBatch, packetTypes.rpc, packetTypes.transaction, packetTypes.bulkLoad];
    await using client = await RawClient.login(server.port);
    await fc.assert(
      fc.asyncProperty(anyOf(late), fc.constantFrom(...types), async (bytes, type) => {
        if (type === packetTypes.sqlBatch) return; // text is the business of the interpreter's own tests
        client.send(type, bytes.subarray(8));
        let packet = await client.packet();
        while (packet && !(packet.status & packetStatus.endOfMessage)) packet = await client.packet();
        assert.ok(packet, 'the server closed');
      }),
      { numRuns: 400 },
    );
    await answers(client);
  });

  test('cause no internal fault and no rejection that nobody handles', () => {
    assert.deepEqual(rejections, []);
    assert.deepEqual(faults, []);
  });
});
