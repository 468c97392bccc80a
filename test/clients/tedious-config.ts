import { readFileSync } from 'node:fs';
import type { ConnectionConfiguration } from 'tedious';
import { given } from './tell.ts';

export const tdsVersion = process.env['CLIENT_TDS_VERSION'] ?? '7_4';
const encryption = process.env['CLIENT_ENCRYPT'] ?? 'true';
/** TDS before 7.3 has no type for dates without a time. */
export const hasDates = !['7_1', '7_2'].includes(tdsVersion);

/** How tedious connects to the server of a test: by the variables that the test sets. */
export function config(database: string, password = given('GRANARY_PASSWORD')): ConnectionConfiguration {
  return {
    // The certificate is for this name.
    server: 'localhost',
    authentication: { type: 'default', options: { userName: 'sa', password } },
    options: {
      port: Number(given('GRANARY_PORT')),
      database,
      encrypt: encryption === 'strict' ? 'strict' : encryption === 'true',
      cryptoCredentialsDetails: { ca: readFileSync(given('GRANARY_CA')) },
      tdsVersion,
      connectTimeout: 60_000,
      requestTimeout: 120_000,
    },
  };
}
