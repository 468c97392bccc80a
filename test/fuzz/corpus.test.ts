import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
// Loaded before any test runs: what it opens is to last until the last one has.
import '../support/session.ts';
import { Random } from './random.ts';
import { complaintOf } from './survives.ts';
import { targets } from './targets.ts';

/** Inputs that each target gets besides what once did harm: enough to see that it still runs. */
const few = 200;

for (const target of targets) {
  describe(`${target.name} withstands`, () => {
    let opened: AsyncDisposable | undefined;
    before(async () => {
      opened = await target.open?.();
    });
    after(async () => {
      await opened?.[Symbol.asyncDispose]();
    });

    const folder = new URL(`./corpus/${target.name}/`, import.meta.url);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      test(`what once did harm: ${name}`, async () => {
        assert.equal(await complaintOf(target, readFileSync(new URL(name, folder))), undefined);
      });
    }

    test('inputs made by chance', async () => {
      const count = target.isSlow ? 20 : few;
      for (let input = 0; input < count; input++) {
        const bytes = target.make(Random.of(1, target.name, input));
        const complaint = await complaintOf(target, bytes);
        assert.equal(complaint, undefined, `input ${input} of seed 1: ${complaint}`);
      }
    });
  });
}
