import assert from 'node:assert/strict';
import { RawClient } from './raw-client.ts';
import { errors } from './tokens.ts';

/** The password of the logins that tests make. */
export const lowPassword = 'Battery-Staple-9';

/** Makes a login, with a role on Lab when one is named. */
export async function makeLogin(port: number, name: string, role?: 'db_datareader' | 'db_datawriter'): Promise<void> {
  await using sa = await RawClient.login(port);
  const give = role === undefined ? '' : `exec sp_addrolemember '${role}', '${name}'`;
  assert.deepEqual(errors(await sa.batch(`create login [${name}] with password = '${lowPassword}'\n${give}`)), []);
}

/** Logs in as one of them. */
export const loginAs = (port: number, name: string, database = 'Lab'): Promise<RawClient> =>
  RawClient.login(port, { userName: name, password: lowPassword, database });
