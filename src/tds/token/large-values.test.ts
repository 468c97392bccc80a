import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesOf, dialects } from '../../../test/support/tds.ts';
import { MessageWriter, PacketParser } from '../packet/index.ts';
import { inCodePage } from '../types/code-page-text.ts';
import * as t from '../types/index.ts';
import { modern } from '../version.ts';
import { resultWriter, returnValueSteps, type Token, TokenParser, writeReturnValue } from './index.ts';

const long = 'grün あ \u{1F33E} '.repeat(150_000);
const bytes = Buffer.from(long);

const japanese = inCodePage(t.varchar('max'), 'shift_jis');
const values: readonly (readonly [t.AnyType, unknown])[] = [
  [t.nvarchar('max'), long],
  [t.varchar('max'), long],
  [japanese, long],
  [t.varbinary('max'), bytes],
  [t.xml, `<a>${long}</a>`],
  [t.ntext, long],
  [t.text, long],
  [t.image, bytes],
  [t.withinSize(t.nvarchar('max'), 1_000_000), long],
  [t.withinSize(t.image, 1_000_000), bytes],
];

/** What was sent of a message, read again, and the most that waited to be sent. */
async function answered(write: (out: MessageWriter, flush: () => void) => Promise<void>) {
  const message = new MessageWriter(8000);
  const parser = new PacketParser();
  let most = 0;
  const flush = (): void => {
    most = Math.max(most, message.pending);
    const packets = message.flush();
    if (packets !== undefined) parser.push(packets);
  };
  await write(message, flush);
  parser.push(message.end());
  const reader = new TokenParser(modern);
  for (let packet = parser.next(); packet !== undefined; packet = parser.next()) reader.push(packet.payload);
  reader.end();
  const tokens: Token[] = [];
  for (let token = reader.next(); token !== undefined; token = reader.next()) tokens.push(token);
  return { tokens, most };
}

const columns = ['a', 'b', 'c'].map((name) => ({ name, type: t.nvarchar('max'), nullable: true }));

describe('long values', () => {
  test('MS-TDS 2.2.5.2.3: a value written in steps has the bytes of one that is written at once', () => {
    for (const [name, dialect] of dialects) {
      for (const [type, value] of values) {
        let steps = 0;
        const inSteps = bytesOf((out) => {
          for (const _ of type.writeSteps?.(out, value, dialect) ?? []) steps++;
        });
        assert.ok(inSteps.equals(bytesOf((out) => type.write(out, value, dialect))), `${type.declaration}, ${name}`);
        assert.ok(steps >= 2, `${type.declaration}: ${steps} steps`);
      }
    }
  });

  test('a row of large values is sent piece by piece, one of small ones at once', async () => {
    const writer = resultWriter(columns, modern);
    assert.equal(writer.isStreamed(['a', 'b', null]), false);
    assert.equal(writer.isStreamed(Array.from({ length: 3 }, () => long.slice(0, 50_000))), true);
    const row = [long, null, long];
    assert.equal(writer.isStreamed(row), true);
    const { tokens, most } = await answered(async ({ out }, flush) => {
      writer.writeMetadata(out);
      await writer.streamRow(out, row, flush);
    });
    assert.deepEqual(tokens[1], { token: 'row', values: row });
    assert.ok(most < 1_100_000, `${most} bytes waited`);
  });

  test('a row that is cancelled within a large value is sent to its end, with NULL behind it', async () => {
    const writer = resultWriter(columns, modern);
    let flushes = 0;
    const cancelled = new Error('cancelled');
    const { tokens } = await answered(async ({ out }, flush) => {
      writer.writeMetadata(out);
      const cancel = () => {
        if (++flushes === 5) throw cancelled;
        flush();
      };
      await assert.rejects(writer.streamRow(out, [long, long, long], cancel, flush), cancelled);
    });
    assert.deepEqual(tokens[1], { token: 'row', values: [long, null, null] });
  });

  test('MS-TDS 2.2.7.19: a long output value in steps is the same token', () => {
    for (const [type, value] of values) {
      const returned = { ordinal: 3, name: '@a', type, value };
      const inSteps = bytesOf((out) => {
        for (const _ of returnValueSteps(out, returned, modern));
      });
      assert.ok(inSteps.equals(bytesOf((out) => writeReturnValue(out, returned, modern))), type.declaration);
    }
  });
});
