import { sqlError } from '../../base/messages/sql-error.ts';
import type { LoginStatement } from '../ast/statement.ts';
import { given } from './given.ts';
import type { TokenStream } from './token-stream.ts';

/** Options for what Granary decides elsewhere, or for all logins alike. */
const others = new Set(['SID', 'DEFAULT_DATABASE', 'DEFAULT_LANGUAGE', 'CHECK_POLICY', 'CREDENTIAL']);

/** CREATE LOGIN name FROM WINDOWS [WITH option = value, …], or a login with a password. */
export function createdLogin(cursor: TokenStream, line: number): LoginStatement {
  const name = cursor.name();
  return cursor.accept('FROM', 'WINDOWS')
    ? windowsLogin(cursor, line, name)
    : withPassword(cursor, line, 'create', name);
}

/**
 * In addition to SQL Server's options, SID identifies a group, and PASSWORD an account that is stored here for NTLM.
 */
function windowsLogin(cursor: TokenStream, line: number, name: string): LoginStatement {
  let password: string | undefined;
  let sid: Uint8Array | undefined;
  if (cursor.accept('WITH')) {
    do {
      if (cursor.accept('PASSWORD', '=')) password = text(cursor);
      else if (cursor.accept('SID', '=')) sid = binary(cursor);
      else skipOption(cursor);
    } while (cursor.accept(','));
  }
  const windows = given({ sid });
  return { kind: 'login', line, action: 'create', name, mustChange: false, windows, ...given({ password }) };
}

/** ALTER LOGIN name WITH PASSWORD … */
export function alteredLogin(cursor: TokenStream, line: number): LoginStatement {
  return withPassword(cursor, line, 'alter', cursor.name());
}

/** WITH PASSWORD = 'text' [MUST_CHANGE] [, option = value …]: 15128 for one to be changed that may not get old. */
function withPassword(cursor: TokenStream, line: number, action: 'create' | 'alter', name: string): LoginStatement {
  cursor.expect('WITH', 'PASSWORD', '=');
  const password = text(cursor);
  let mustChange = false;
  let oldPassword: string | undefined;
  let expires = false;
  for (;;) {
    // The options of the password follow it directly, all others after commas.
    if (cursor.accept('MUST_CHANGE')) mustChange = true;
    else if (action === 'alter' && cursor.accept('UNLOCK')) continue;
    else if (action === 'alter' && cursor.accept('OLD_PASSWORD', '=')) oldPassword = text(cursor);
    else if (!cursor.accept(',')) break;
    else if (cursor.accept('CHECK_EXPIRATION', '=')) expires = onOrOff(cursor);
    else skipOption(cursor);
  }
  if (mustChange && !expires) throw sqlError(15128).at({ line });
  return { kind: 'login', line, action, name, password, mustChange, ...given({ oldPassword }) };
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

function binary(cursor: TokenStream): Uint8Array {
  if (cursor.peek().kind !== 'binary') throw cursor.unexpected();
  return Buffer.from(cursor.next().text.slice('0x'.length), 'hex');
}

function onOrOff(cursor: TokenStream): boolean {
  if (cursor.accept('ON')) return true;
  cursor.expect('OFF');
  return false;
}
