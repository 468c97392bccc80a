import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { nvarchar } from '../../../src/tds/types/index.ts';
import { type StartOptions, startServer, type TestServer } from '../../support/server.ts';
import { lab } from './lab.ts';
import { RawClient } from './raw-client.ts';
import { ending, rows } from './tokens.ts';
import { until } from './until.ts';

/** A server with the one database `Lab`. */
export const startLab = (options: Omit<StartOptions, 'kinds'> = {}): Promise<TestServer> =>
  startServer({ ...options, kinds: [lab] });

/** The server's certificate, which signed itself. */
export const certificateOf = ({ granary }: TestServer): Promise<string> =>
  readFile(granary.settings.tlsCert ?? '', 'utf8');

/** Fails unless a fresh client logs in and is answered: the server serves on. */
export async function servesOn(server: TestServer): Promise<void> {
  await using client = await RawClient.login(server.port);
  await answers(client);
}

/** Fails unless a call over this connection is answered rightly. */
export async function answers(client: RawClient): Promise<void> {
  const text = `still here ${Math.random()}`;
  const tokens = await client.rpc('lab_Echo', [{ type: nvarchar('max'), value: text }]);
  assert.deepEqual(rows(tokens), [[text]]);
  assert.match(ending(tokens), /^doneProc [04]$/); // 4: a transaction is open
}

/** Resolves when no client is connected any more. */
export const nobodyIsLeft = (server: TestServer, left = 0): Promise<void> =>
  until(`the server has ${left} connections`, () => server.granary.connections === left);
