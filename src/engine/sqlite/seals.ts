import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { makePrivateFile } from '../../base/private-files.ts';
import { isBusy } from './errors.ts';
import { existingFile } from './existing-file.ts';
import { fileAt, sealsFile, usersFile } from './files.ts';
import { whyUnreadable } from './unreadable.ts';

/** Bytes that have a checksum of their own. */
const block = 64 * 1024;

/** Bytes of a file past which it is not sealed: reading it would keep a stop waiting. */
const longestSealed = 1024 ** 3;

/** Milliseconds that a stop may take for it; what is left then stays without. */
const longestSealing = 5000;

/** A file of which nobody can say whether it has changed. */
const unreadable = Symbol('unreadable');

/** A file as it was when nobody used it any more. */
interface Seal {
  readonly size: number;
  /** The CRC-32 of each block. */
  readonly sums: readonly number[];
}

/** A seal that was taken, and when its file had last been written then: what others write later is not held against it. */
interface TakenSeal extends Seal {
  readonly written: bigint;
}

/**
 * Checksums of the files of a folder while nobody has them open, since SQLite keeps none of its pages. Who opens the folder first
 * takes them, and they are gone from the disk before anything is written; who leaves it last puts them there. Those of files that
 * were found changed stay: nobody writes to these, and all who come later must know, also after a kill. All who are
 * in share a lock of SQLite's on a file of its own, which the system lets go of when a process dies. With its seal a database gets
 * an empty log: SQLite removes that when another program opens and closes the file, which may have changed it then.
 */
export class Seals {
  readonly #folder: string;
  readonly #taken = new Map<string, TakenSeal>();
  /** Files that were found changed. */
  readonly #changed = new Set<string>();
  /** Files that were found whole when the seals were taken; who looks for the first time need not read them again. */
  readonly #seen = new Set<string>();
  #presence: DatabaseSync | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Comes in, and takes the seals that are there; who is the first compares files up to a length with theirs. */
  take(longest = Number.POSITIVE_INFINITY): void {
    const users = join(this.#folder, usersFile);
    makePrivateFile(users);
    this.#presence = new DatabaseSync(users, { timeout: 0 });
    for (const known of [this.#taken, this.#changed, this.#seen]) known.clear();
    // Whoever comes meanwhile waits, and finds what is left of them.
    if (isAlone(this.#presence)) {
      this.#takeAll();
      this.#compareAll(longest);
      this.#presence.exec('commit');
      this.#enter();
    } else {
      this.#enter();
      this.#takeAll();
    }
  }

  #enter(): void {
    this.#presence?.exec('pragma busy_timeout = 60000; begin; select 1 from sqlite_schema');
  }

  #takeAll(): void {
    for (const [place, seal] of Object.entries(readSeals(this.#path) ?? {})) {
      const file = fileAt(this.#folder, place);
      const found = statSync(file, { bigint: true, throwIfNoEntry: false });
      if (found !== undefined && hasEmptyLog(file)) this.#taken.set(place, { ...seal, written: found.mtimeNs });
    }
  }

  /** Leaves the seals of changed files only: the others will be written to. */
  #compareAll(longest: number): void {
    for (const [place, seal] of this.#taken) {
      if (seal.size > longest) continue;
      const difference = this.#difference(place, seal);
      if (difference === unreadable) this.#taken.delete(place);
      else if (difference === undefined) this.#seen.add(place);
      else this.#changed.add(place);
    }
    this.#write([...this.#changed]);
  }

  /** Whether a file is as it was sealed, if it is not longer than that, or what has changed since; undefined where nobody knows. */
  look(place: string, longest = Number.POSITIVE_INFINITY): 'whole' | { readonly changed: string } | undefined {
    const seal = this.#taken.get(place);
    const path = fileAt(this.#folder, place);
    if (seal === undefined || seal.size > longest || !isUntouched(path, seal)) return undefined;
    if (this.#isDisowned(place)) this.#taken.delete(place);
    if (!this.#taken.has(place)) return undefined;
    if (this.#seen.delete(place)) return 'whole';
    const changed = this.#difference(place, seal);
    if (changed === undefined) return 'whole';
    if (changed === unreadable) return undefined;
    if (!this.#changed.has(place)) {
      this.#changed.add(place);
      this.#write([...Object.keys(readSeals(this.#path) ?? {}), place]);
    }
    return { changed };
  }

  #difference(place: string, seal: Seal): string | typeof unreadable | undefined {
    const now = readableSeal(fileAt(this.#folder, place));
    if (now === unreadable) return unreadable;
    const at = seal.sums.findIndex((sum, i) => sum !== now.sums[i]);
    if (at < 0 && seal.size === now.size) return undefined;
    const where = at < 0 ? '' : ` from byte ${at * block} on`;
    return `it has changed${where} since it was closed (without ${this.#path} it is used as it is)`;
  }

  /** Whether somebody has removed the seal of a changed file, so as to have it used as it is. */
  #isDisowned(place: string): boolean {
    return this.#changed.has(place) && readSeals(this.#path)?.[place] === undefined;
  }

  /** Forgets the seal of a file that is removed. */
  forget(place: string): void {
    this.#taken.delete(place);
    this.#changed.delete(place);
    const left = Object.keys(readSeals(this.#path) ?? {});
    if (left.includes(place)) this.#write(left.filter((each) => each !== place));
  }

  get #path(): string {
    return join(this.#folder, sealsFile);
  }

  /** Has these seals on disk and no others; what is not known here stays as it is there. */
  #write(places: readonly string[]): void {
    const there = readSeals(this.#path);
    if (there === undefined && places.length === 0) return;
    const known: Readonly<Record<string, Seal>> = { ...there, ...Object.fromEntries(this.#taken) };
    const seals = places.flatMap((place): [string, Seal][] => {
      const seal = known[place];
      return seal === undefined ? [] : [[place, { size: seal.size, sums: seal.sums }]];
    });
    if (seals.length === 0) rmSync(this.#path, { force: true });
    else writeSeals(this.#path, Object.fromEntries(seals));
    // Seals that came back after a power cut would be of files that have changed since.
    const folder = openSync(this.#folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  /** Goes out. Who is the last to do so seals the files of these places; of others the seal stays what it was. */
  put(sound: ReadonlySet<string>): void {
    const presence = this.#presence;
    this.#presence = undefined;
    if (presence === undefined) return;
    try {
      presence.exec('commit; pragma busy_timeout = 0; begin exclusive');
      writeSeals(this.#path, Object.fromEntries([...this.#sealed(sound)]));
    } catch (error) {
      // Another has the folder open, or the disk is full or gone: then there are no seals.
      if (!(error instanceof Error && 'code' in error)) throw error;
    } finally {
      presence.close();
    }
  }

  *#sealed(sound: ReadonlySet<string>): Iterable<[string, Seal]> {
    const deadline = performance.now() + longestSealing;
    for (const place of new Set([...this.#taken.keys(), ...sound])) {
      if (this.#isDisowned(place)) continue;
      const path = fileAt(this.#folder, place);
      const taken = this.#taken.get(place);
      if (taken !== undefined && hasEmptyLog(path) && isUntouched(path, taken)) {
        yield [place, { size: taken.size, sums: taken.sums }];
        continue;
      }
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      if (performance.now() > deadline) continue;
      if (!sound.has(place) || size === undefined || size > longestSealed || !isLeft(path)) continue;
      yield [place, sealOf(path)];
      makePrivateFile(logOf(path));
    }
  }
}

/** Whether nobody else is in; then nobody comes in before the transaction ends. */
function isAlone(presence: DatabaseSync): boolean {
  try {
    presence.exec('begin exclusive');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

const logOf = (path: string): string => `${path}-wal`;

/** Whether nobody has a file open. A process that was killed leaves its log, which the last to close the file removes. */
function isLeft(path: string): boolean {
  if (existsSync(logOf(path))) {
    using database = new DatabaseSync(existingFile(path), { timeout: 0 });
    database.exec('select 1 from sqlite_schema');
  }
  return !existsSync(logOf(path));
}

const hasEmptyLog = (path: string): boolean =>
  statSync(logOf(path), { throwIfNoEntry: false })?.size === 0 && !existsSync(`${path}-shm`);

const isUntouched = (path: string, { written }: TakenSeal): boolean =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs === written;

function writeSeals(path: string, seals: Readonly<Record<string, Seal>>): void {
  const text = JSON.stringify(seals);
  writeFileSync(`${path}.new`, `${crc32(text)}\n${text}`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The seals in a file; undefined where there is none, or it is not whole itself. */
function readSeals(path: string): Readonly<Record<string, Seal>> | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const end = text.indexOf('\n');
    const content = text.slice(end + 1);
    return Number(text.slice(0, end)) === crc32(content) ? JSON.parse(content) : {};
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file as it is now; what cannot be read has no seal, and whoever looks at the file itself says why. */
function readableSeal(path: string): Seal | typeof unreadable {
  try {
    return sealOf(path);
  } catch (error) {
    if (whyUnreadable(error) === undefined) throw error;
    return unreadable;
  }
}

function sealOf(path: string): Seal {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(16 * block);
    const sums: number[] = [];
    let size = 0;
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      for (let at = 0; at < read; at += block) sums.push(crc32(buffer.subarray(at, Math.min(at + block, read))));
      size += read;
    }
    return { size, sums };
  } finally {
    closeSync(file);
  }
}
