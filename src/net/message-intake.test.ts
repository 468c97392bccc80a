import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { packetize, packetTypes } from '../tds/packet/index.ts';
import { MessageIntake } from './message-intake.ts';
import { MessageMemory } from './message-memory.ts';

const limits = { maxMessage: 1024 * 1024, messageTimeout: 60_000 };
const login = (bytes: number): Buffer =>
  packetize(Buffer.alloc(bytes), { type: packetTypes.login7, packetSize: 32_000 });

/** A client, and whether it is still there. */
function client(memory: MessageMemory, address = '192.0.2.1') {
  const state = { isThere: true };
  const source = {
    address,
    pause() {},
    resume() {},
    isPaused: () => false,
    destroy() {
      state.isThere = false;
    },
  };
  return { state, intake: new MessageIntake(source, limits, memory) };
}

describe('the memory of logins that are being answered', () => {
  test('of strangers who hold too much together, the one that holds most is gone, and its bytes with it', async () => {
    // A sixteenth of it is the strangers'.
    const memory = new MessageMemory(16 * 100_000, 16 * 100_000);
    const [small, large, last] = [client(memory), client(memory), client(memory)];
    for (const [{ intake }, bytes] of [
      [small, 20_000],
      [large, 60_000],
    ] as const) {
      intake.push(login(bytes));
      assert.equal((await intake.receive())?.payload.length, bytes);
    }
    last.intake.push(login(30_000));
    assert.deepEqual(
      [small, large, last].map(({ state }) => state.isThere),
      [true, false, true],
    );
    assert.equal((await last.intake.receive())?.payload.length, 30_000);
  });

  test('who has logged in is not cut off for what strangers hold', async () => {
    const memory = new MessageMemory(16 * 100_000, 16 * 100_000);
    const [known, first, second] = [client(memory), client(memory), client(memory)];
    known.intake.push(login(70_000));
    await known.intake.receive();
    known.intake.admit();
    first.intake.push(login(60_000));
    await first.intake.receive();
    second.intake.push(login(60_000));
    await assert.rejects(second.intake.receive(), { number: 17803 });
    assert.deepEqual([known.state.isThere, first.state.isThere], [true, true]);
  });

  test('a message that waits is dropped too, and who asks for it hears why (17803)', async () => {
    const memory = new MessageMemory(16 * 50_000, 16 * 50_000);
    const { intake, state } = client(memory);
    intake.push(login(60_000));
    await assert.rejects(intake.receive(), { number: 17803 });
    assert.equal(state.isThere, true);
  });
});
