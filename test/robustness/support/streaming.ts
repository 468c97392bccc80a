import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { packetStatus } from '../../../src/tds/packet/index.ts';
import { int } from '../../../src/tds/types/index.ts';
import type { RawClient } from './raw-client.ts';
import type { ServedLab } from './served-lab.ts';

export const megabyte = 1024 * 1024;
/** Milliseconds. */
const lookEvery = 200;

/** A message that calls a procedure of the lab with one number. */
export const call = (procedure: string, value: number) => [{ procedure, params: [{ type: int, value }] }];

/** Reads an answer to its end without looking into it; returns its length. */
export async function swallow(client: RawClient): Promise<number> {
  let bytes = 0;
  for (let packet = await client.packet(); packet; packet = await client.packet()) {
    bytes += packet.payload.length;
    if (packet.status & packetStatus.endOfMessage) return bytes;
  }
  throw new Error('the server closed before the end');
}

/** Has the server send some of everything, so that what is kept for the first time is no growth. */
export async function warmUp(lab: ServedLab): Promise<void> {
  await using client = await lab.connect();
  for (const calls of [call('lab_Generate', 10_000), call('lab_Select', 10_000), call('lab_Image', 20)]) {
    client.sendRpc(calls);
    await swallow(client);
  }
}

/**
 * Fails when the server holds much more at any moment of this than before. Looking collects the garbage, so that only
 * what is in use counts; what a process takes in between is bounded far above, where only a leak gets.
 */
export async function flat(lab: ServedLab, work: () => Promise<void>, tolerated = 100 * megabyte): Promise<void> {
  const before = await lab.health();
  const over = new AbortController();
  const working = work().finally(() => over.abort());
  let kept = 0;
  let mostMemory = 0;
  while (!over.signal.aborted) {
    const health = await lab.health();
    kept = Math.max(kept, health.kept - before.kept);
    mostMemory = health.mostMemory - before.mostMemory;
    await delay(lookEvery, undefined, { signal: over.signal }).catch(() => {}); // the work is over
  }
  await working;
  assert.ok(kept < tolerated, `${Math.round(kept / megabyte)} MB were held`);
  assert.ok(mostMemory < 1024 * megabyte, `memory grew by ${Math.round(mostMemory / megabyte)} MB`);
}

/** Rows of an answer that has 62 MB on the wire, 208 bytes a row: what sat in memory would show. */
const count = process.env['GRANARY_TEST_LARGE'] === undefined ? 300_000 : 3_000_000;

/** Runs an answer of very many rows beside calls of another. */
export async function veryManyRows(lab: ServedLab, procedure: string, meanwhile: () => Promise<void>): Promise<void> {
  await using client = await lab.connect();
  const work = async () => {
    client.sendRpc(call(procedure, count));
    let done = false;
    const read = swallow(client).finally(() => {
      done = true;
    });
    let calls = 0;
    for (; !done; calls++) await meanwhile();
    assert.ok((await read) > count * 200);
    assert.ok(calls > 5, `only ${calls} calls were answered meanwhile`);
  };
  await flat(lab, work, 40 * megabyte);
}
