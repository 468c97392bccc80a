import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { packetStatus } from '../../src/tds/packet/index.ts';
import { TokenParser } from '../../src/tds/token/index.ts';
import { answers } from './support/lab-server.ts';
import type { RawClient } from './support/raw-client.ts';
import { ServedLab } from './support/served-lab.ts';
import { flat, warmUp } from './support/streaming.ts';
import { ending, errors, only } from './support/tokens.ts';

/** The messages and errors of the next packet, which must not be the last of its answer. */
async function told(client: RawClient): Promise<number[]> {
  const packet = await client.packet();
  assert.ok(packet, 'the server closed');
  assert.equal(packet.status & packetStatus.endOfMessage, 0);
  const parser = new TokenParser(client.dialect);
  parser.push(packet.payload);
  const numbers: number[] = [];
  for (let token = parser.next(); token; token = parser.next()) {
    if (token.token === 'info' || token.token === 'error') numbers.push(token.number);
  }
  return numbers;
}

describe('what a batch says besides rows', () => {
  let lab: ServedLab;
  before(async () => {
    lab = await ServedLab.start('sqlite');
    await warmUp(lab);
  });
  after(() => lab[Symbol.asyncDispose]());

  test('messages that nobody reads stop the batch, and memory stays flat', async () => {
    await using client = await lab.connect();
    await using other = await lab.connect();
    await flat(lab, async () => {
      client.socket.pause();
      client.sendBatch("while 1 = 1 print replicate('x', 4000)");
      for (let turn = 0; turn < 1000; turn++) await answers(other);
    });
  });

  for (const [what, endless] of [
    ['errors', 'while 1 = 1 select 1 / 0'],
    ['counts of rows', 'while 1 = 1 update #t set a = 1'],
    ['messages of a procedure whose rows are kept', 'insert #t exec #endless'],
  ] as const) {
    test(`${what} are sent while their batch still runs`, async () => {
      await using client = await lab.connect();
      const made = [
        ...(await client.batch('create table #t (a int) insert #t values (1)')),
        ...(await client.batch("create procedure #endless as while 1 = 1 print replicate('x', 4000)")),
      ];
      assert.deepEqual(errors(made), []);
      client.sendBatch(endless);
      for (let count = 0; count < 10; count++) assert.equal((await client.packet())?.status, 0);
      client.attention();
      while (((await client.packet())?.status ?? 1) !== packetStatus.endOfMessage);
      assert.equal(only(await client.tokens(), 'done').at(-1)?.status, 0x20);
      await answers(client);
    });
  }

  test('an error is told after those that made it', async () => {
    await using client = await lab.connect();
    assert.deepEqual(errors(await client.batch('create table #u (a int null primary key)')), [8111, 1750]);
    assert.deepEqual(errors(await client.batch('create table #u (a int, primary key (b))')), [1911, 1750]);
  });

  test('a message of severity 10 is told with class 0, as SQL Server does, those below as they are', async () => {
    await using client = await lab.connect();
    const tokens = await client.batch("raiserror('a', 9, 1) raiserror('b', 10, 1) raiserror('c', 11, 1)");
    const classes = [...only(tokens, 'info'), ...only(tokens, 'error')].map(({ text, severity }) => [text, severity]);
    assert.deepEqual(classes, [
      ['a', 9],
      ['b', 0],
      ['c', 11],
    ]);
  });

  test('RAISERROR of severity 20 ends the session: 2745, the error, DONE_SRVERROR', async () => {
    await using client = await lab.connect();
    const tokens = await client.batch("raiserror('the end', 20, 1) with log");
    assert.deepEqual(errors(tokens), [2745, 50000]);
    assert.equal(ending(tokens), 'done 100');
    assert.equal(await client.packet(), undefined);
  });

  test('RAISERROR WITH NOWAIT reaches the client while its batch still runs', async () => {
    await using client = await lab.connect();
    client.sendBatch(
      "raiserror('working', 0, 1) with nowait raiserror('failing', 16, 1) with nowait waitfor delay '23:00'",
    );
    assert.deepEqual(await told(client), [50000]);
    assert.deepEqual(await told(client), [50000]);
    client.attention();
    const rest = [...(await client.tokens()), ...(await client.tokens())];
    assert.deepEqual([errors(rest), only(rest, 'done').at(-1)?.status], [[], 0x20]);
    await answers(client);
  });
});
