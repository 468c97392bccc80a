import { sqlError } from '../base/messages/sql-error.ts';
import { asSid } from '../base/windows-sid.ts';

/** Groups with the same relative identifier in every domain (MS-DTYP 2.4.2.4), by their English names. */
const wellKnownGroups: ReadonlyMap<string, number> = new Map([
  ['domain admins', 512],
  ['domain users', 513],
  ['domain guests', 514],
  ['domain computers', 515],
  ['domain controllers', 516],
  ['cert publishers', 517],
  ['schema admins', 518],
  ['enterprise admins', 519],
  ['group policy creator owners', 520],
  ['read-only domain controllers', 521],
  ['protected users', 525],
  ['key admins', 526],
  ['enterprise key admins', 527],
  ['ras and ias servers', 553],
]);

/** The relative identifier of a group of this name, if it is the same in every domain. */
export function wellKnownGroup(name: string): number | undefined {
  return wellKnownGroups.get(name.slice(name.indexOf('\\') + 1).toLowerCase());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in a name.
const form = /^[^\\\u0000-\u001f\u007f]+\\[^\\\u0000-\u001f\u007f]+$/u;

/**
 * SQL Server's rule for the name of a Windows login: DOMAIN\name, or a security identifier in place of both; else
 * 15407.
 */
export function checkWindowsName(name: string): void {
  if (asSid(name) !== undefined) return;
  const isWhole = form.test(name) && name.length <= 128 && name.split('\\').every((part) => part.trim() === part);
  if (!isWhole) throw sqlError(15407, name);
}
