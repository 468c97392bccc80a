import assert from 'node:assert/strict';
import type { SessionHost } from '../../src/session/session-host.ts';
import { batch } from './recorder.ts';
import { openSession } from './session.ts';

/** A session in tempdb that has run a text without an error. */
export async function inTempDb(text: string): Promise<SessionHost> {
  const host = await openSession();
  await host.use('tempdb');
  assert.deepEqual((await batch(host, text)).errors, []);
  return host;
}

/** The rows of the first result set of a text. */
export const rows = async (host: SessionHost, text: string) => (await batch(host, text)).sets[0]?.rows;
