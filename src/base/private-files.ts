import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

const others = 0o077;
const sticky = 0o1000;
/** What a file system keeps in a folder that is otherwise empty. */
const noContent: ReadonlySet<string> = new Set(['lost+found']);

/** Somebody else could read what is to be its owner's alone. */
class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
}

/**
 * Makes a folder, or one that was there before, its owner's alone. One that is open to others is closed to them when it
 * is empty or holds one of `ours`; a folder of somebody else's things is refused and left as it is.
 */
export function makePrivateFolder(path: string, ours: readonly string[]): void {
  makeFolders(path);
  const found = statSync(path);
  if (!isOpen(found)) return;
  const content = readdirSync(path).filter((name) => !noContent.has(name));
  const isOurs = content.length === 0 || content.some((name) => ours.includes(name));
  if (!isOurs || (found.mode & sticky) !== 0) throw notPrivate(path, found, 'contains other things than this data');
  tighten(path, found, 0o700);
}

/**
 * Makes a folder with those above it, where there is none. Not by Node's own `recursive`, which tries for ever where the
 * folder above is there and takes none (ENOENT in /proc).
 */
export function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const above = dirname(path);
  if (above !== path) makeFolders(above);
  mkdirSync(path, { mode: 0o700 });
}

/** Makes a file, or one that was there before, its owner's alone. */
export function makePrivateFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(path, 'a', 0o600));
  else if (isOpen(found)) tighten(path, found, 0o600);
}

/** Closes a file to others if it is there. */
export function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && isOpen(found)) tighten(path, found, 0o600);
}

/** Whether anybody on the machine may read a file. */
export function isWorldReadable(path: string): boolean {
  return hasModes && (statSync(path).mode & 0o004) !== 0;
}

/** Windows has lists of rights in place of modes; what a folder there inherits is the operator's. */
const hasModes = process.platform !== 'win32';

const isOpen = ({ mode }: Stats): boolean => hasModes && (mode & others) !== 0;

function tighten(path: string, found: Stats, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // What the system says, EPERM, would be told in place of this: no cause.
    throw notPrivate(path, found, 'this user cannot change that, because another user owns it');
  }
}

function notPrivate(path: string, { mode }: Stats, why: string): NotPrivate {
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  const advice = 'Remove the permissions of others (chmod go= …), or choose another place';
  return new NotPrivate(`${path} is open to other users of this machine (mode ${shown}) and ${why}. ${advice}`);
}
