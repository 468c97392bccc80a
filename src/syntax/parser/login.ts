import { sqlError } from '../../base/sql-error.ts';
import type { LoginStatement } from '../ast/statement.ts';
import type { TokenStream } from './token-stream.ts';

/** Options that tell SQL Server what Granary decides elsewhere, or for all logins alike. */
const others = new Set(['SID', 'DEFAULT_DATABASE', 'DEFAULT_LANGUAGE', 'CHECK_POLICY', 'CREDENTIAL']);

/** name WITH PASSWORD = 'text' [MUST_CHANGE] [, option = value …]: 15128 for one to be changed that may not get old. */
export function passwordOf(cursor: TokenStream, line: number, action: 'create' | 'alter'): LoginStatement {
  const name = cursor.name();
  cursor.expect('WITH', 'PASSWORD', '=');
  const password = text(cursor);
  let mustChange = false;
  let oldPassword: string | undefined;
  let expires = false;
  for (;;) {
    // What belongs to the password stands right behind it, everything else behind commas.
    if (cursor.accept('MUST_CHANGE')) mustChange = true;
    else if (action === 'alter' && cursor.accept('UNLOCK')) continue;
    else if (action === 'alter' && cursor.accept('OLD_PASSWORD', '=')) oldPassword = text(cursor);
    else if (!cursor.accept(',')) break;
    else if (cursor.accept('CHECK_EXPIRATION', '=')) expires = onOrOff(cursor);
    else skipOption(cursor);
  }
  if (mustChange && !expires) throw sqlError(15128).at({ line });
  const proof = oldPassword === undefined ? {} : { oldPassword };
  return { kind: 'login', line, action, name, password, mustChange, ...proof };
}

function skipOption(cursor: TokenStream): void {
  if (!cursor.isOneOf(others)) throw cursor.unexpected();
  cursor.next();
  cursor.expect('=');
  cursor.next();
}

function text(cursor: TokenStream): string {
  const { kind } = cursor.peek();
  if (kind !== 'string' && kind !== 'nstring') throw cursor.unexpected();
  return cursor.next().text;
}

function onOrOff(cursor: TokenStream): boolean {
  if (cursor.accept('ON')) return true;
  cursor.expect('OFF');
  return false;
}
