import type { LoginStatement } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';
import { type Completion, next } from './completion.ts';

/** CREATE, ALTER and DROP LOGIN: done at once, whatever becomes of the transaction. */
export async function runLogin(statement: LoginStatement, { host, sink }: Frame): Promise<Completion> {
  const { action, name, password = '', oldPassword, mustChange } = statement;
  if (action === 'create') await host.logins.create(name, password, mustChange);
  else if (action === 'alter') await host.logins.setPassword(name, password, mustChange, oldPassword);
  else await host.logins.drop(name);
  sink.done({ command: 'other' });
  return next;
}
