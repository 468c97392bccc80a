import { ruleBroken } from '../base/messages/sql-error.ts';

/** The key under which all spellings of a login or database name are equal. */
export function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** SQL Server's rule for the name of a login: 1 to 128 characters, no backslash, which marks a Windows login. */
export function checkLoginName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in a name.
  if (!/^[^\\\u0000-\u001f\u007f]{1,128}$/u.test(name) || name.trim() !== name) {
    throw ruleBroken(
      `'${name}' is not a valid login name: it has 1 to 128 characters, no backslash, no blank at an end.`,
    );
  }
}

/** LOGIN7 allows 1 to 128 characters; how hard the password is to guess is up to the operator. */
export function checkPassword(password: string): void {
  if (password.length < 1 || password.length > 128) throw ruleBroken('A password has 1 to 128 characters.');
}
