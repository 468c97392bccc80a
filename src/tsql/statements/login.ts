import { ruleBroken } from '../../base/messages/sql-error.ts';
import { sidOfBytes } from '../../base/windows-sid.ts';
import type { LoginStatement } from '../../syntax/ast/statement.ts';
import { given } from '../../syntax/parser/given.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import { type Completion, ended } from './completion.ts';

async function createWindows({ name, password, windows }: LoginStatement, { logins }: Host): Promise<void> {
  const sid = windows?.sid && sidOfBytes(windows.sid);
  if (windows?.sid !== undefined && sid === undefined)
    throw ruleBroken('SID is not the security identifier of a Windows group.');
  await logins.createWindows(name, given({ sid, password }));
}

/** CREATE, ALTER and DROP LOGIN: done at once, whatever becomes of the transaction. */
export async function runLogin(statement: LoginStatement, { host, sink }: Frame): Promise<Completion> {
  const { action, name, password = '', oldPassword, mustChange } = statement;
  if (statement.windows !== undefined) await createWindows(statement, host);
  else if (action === 'create') await host.logins.create(name, password, mustChange);
  else if (action === 'alter') await host.logins.setPassword(name, password, mustChange, oldPassword);
  else await host.logins.drop(name);
  return ended(sink, { command: 'other' });
}
