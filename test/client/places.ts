import { readFileSync } from 'node:fs';
import type { ClientOptions } from '../../src/client/client.ts';
import type { Encryption } from '../../src/client/options.ts';
import { password, type TestServer } from '../support/server.ts';

/** The ways to one server: over the network under each encryption, and inside the process. */
export const ways = ['off', 'login', 'full', 'strict', 'in process'] as const;

export type Way = (typeof ways)[number];

/** What a client is told to come to a test server on a way. */
export function optionsFor(server: TestServer, database: string, way: Way = 'in process'): ClientOptions {
  if (way === 'in process') return { server: server.granary, database };
  return { ...networkOptions(server, database, way) };
}

/** What a client is told to come to a test server over the network, trusting its certificate. */
export function networkOptions(server: TestServer, database: string, encryption: Encryption) {
  const { tlsCert = '' } = server.granary.settings;
  const ca = readFileSync(tlsCert, 'utf8');
  return { host: '127.0.0.1', port: server.port, user: 'sa', password, database, encryption, ca };
}
