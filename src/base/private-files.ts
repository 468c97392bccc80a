import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

const others = 0o077;
const sticky = 0o1000;
/** Entries that a file system creates in an empty folder. */
const noContent: ReadonlySet<string> = new Set(['lost+found']);

/** A file or folder that must be private is accessible to other users. */
class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
}

/**
 * Creates a folder that only its owner may access, or restricts an existing one. One that is accessible to others is
 * restricted if it is empty or holds one of `ours`; a folder with anything else is refused and left unchanged.
 */
export function makePrivateFolder(path: string, ours: readonly string[]): void {
  makeFolders(path);
  const found = statSync(path);
  if (!isOpen(found)) return;
  const content = readdirSync(path).filter((name) => !noContent.has(name));
  const isOurs = content.length === 0 || content.some((name) => ours.includes(name));
  if (!isOurs || (found.mode & sticky) !== 0) throw notPrivate(path, found, 'contains more than this data');
  tighten(path, found, 0o700);
}

/**
 * Creates a folder and its missing parents. Node's own `recursive` is not used, because it retries forever if the
 * parent exists but accepts no children (ENOENT in /proc).
 */
export function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const above = dirname(path);
  if (above !== path) makeFolders(above);
  mkdirSync(path, { mode: 0o700 });
}

/** Creates a file that only its owner may access, or restricts an existing one. */
export function makePrivateFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(path, 'a', 0o600));
  else if (isOpen(found)) tighten(path, found, 0o600);
}

/** Removes the permissions of other users from a file if it exists. */
export function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && isOpen(found)) tighten(path, found, 0o600);
}

/** Whether any user of the machine may read a file. */
export function isWorldReadable(path: string): boolean {
  return hasModes && (statSync(path).mode & 0o004) !== 0;
}

/** Windows has access control lists instead of modes; what a folder there inherits is up to the operator. */
const hasModes = process.platform !== 'win32';

const isOpen = ({ mode }: Stats): boolean => hasModes && (mode & others) !== 0;

function tighten(path: string, found: Stats, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // No cause: its message, EPERM, would be shown instead of this one.
    throw notPrivate(path, found, 'this user cannot change that, because another user owns it');
  }
}

function notPrivate(path: string, { mode }: Stats, why: string): NotPrivate {
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  const advice = 'Remove the permissions of others (chmod go= …), or choose another place';
  return new NotPrivate(`${path} is open to other users of this machine (mode ${shown}) and ${why}. ${advice}`);
}
