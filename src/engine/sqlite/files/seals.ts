import {
  closeSync,
  existsSync,
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
import { makePrivateFile } from '../../../base/private-files.ts';
import { syncPath } from '../log/sync-path.ts';
import { existingFile } from './existing-file.ts';
import { fileAt, sealsFile, usersFile } from './files.ts';
import { LockFault, LockFile } from './lock-file.ts';
import { whyUnreadable } from './unreadable.ts';

/** The number of bytes that share a checksum. */
const block = 64 * 1024;

/** Files larger than this are not sealed: reading them would delay a shutdown. */
const longestSealed = 1024 ** 3;

/** Milliseconds that a shutdown may spend on sealing; the remaining files stay unsealed. */
const longestSealing = 5000;

/** For a file of which it is unknown whether it has changed. */
const unreadable = Symbol('unreadable');

/** The checksums of a file as it was when the last process closed it. */
interface Seal {
  readonly size: number;
  /** The CRC-32 of each block. */
  readonly sums: readonly number[];
}

/**
 * A seal that was taken, with the modification time of its file at that moment: later writes of others do not count as
 * damage.
 */
interface TakenSeal extends Seal {
  readonly written: bigint;
}

/**
 * Checksums of the files of a folder while no process has them open, since SQLite keeps none of its pages. The first
 * process to open the folder takes them, and they are removed from the disk before anything is written; the last one to
 * leave writes them again. Those of files that were found changed remain: nobody writes to these files, and every later
 * process must know about them, also after a kill. All processes that use the folder share a SQLite lock on a separate
 * file, which the operating system releases when a process dies. A sealed database also gets an empty log: SQLite
 * removes it when another program opens and closes the file, which may have changed it then.
 */
export class Seals {
  readonly #folder: string;
  readonly #taken = new Map<string, TakenSeal>();
  /** Files found changed. */
  readonly #changed = new Set<string>();
  /** Files found unchanged when the seals were taken, so that the first `look` need not read them again. */
  readonly #seen = new Set<string>();
  #presence: LockFile | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Registers this process as a user of the folder and takes the existing seals; the first user compares files up to
   * this size with theirs.
   */
  take(longest = Number.POSITIVE_INFINITY): void {
    const users = join(this.#folder, usersFile);
    makePrivateFile(users);
    this.#presence = new LockFile(users);
    for (const known of [this.#taken, this.#changed, this.#seen]) known.clear();
    // A process that arrives in the meantime waits, and finds what remains of them.
    if (this.#presence.tryExclusive()) {
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

  /** Keeps only the seals of changed files on disk, since the other files will be written to. */
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

  /**
   * Whether a file up to this size is unchanged since it was sealed, or what has changed; undefined if that is unknown.
   */
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

  /** Whether somebody has removed the seal of a changed file in order to have it used as it is. */
  #isDisowned(place: string): boolean {
    return this.#changed.has(place) && readSeals(this.#path)?.[place] === undefined;
  }

  /** Forgets the seal of a removed file. */
  forget(place: string): void {
    this.#taken.delete(place);
    this.#changed.delete(place);
    const left = Object.keys(readSeals(this.#path) ?? {});
    if (left.includes(place)) this.#write(left.filter((each) => each !== place));
  }

  get #path(): string {
    return join(this.#folder, sealsFile);
  }

  /**
   * Writes the seals of these files to disk and removes all others; seals that this process has not taken are kept as
   * they are there.
   */
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
    // If removed seals came back after a power loss, they would belong to files that have changed since.
    syncPath(this.#folder);
  }

  /** Unregisters this process. The last user seals the files at these places; other files keep the seals they had. */
  put(sound: ReadonlySet<string>): void {
    const presence = this.#presence;
    this.#presence = undefined;
    if (presence === undefined) return;
    try {
      presence.exec('commit; pragma busy_timeout = 0; begin exclusive');
      writeSeals(this.#path, Object.fromEntries([...this.#sealed(sound)]));
    } catch (error) {
      // Another process has the folder open, or the disk is full or failing: then no seals are written.
      if (!(error instanceof LockFault || (error instanceof Error && 'code' in error))) throw error;
    } finally {
      presence[Symbol.dispose]();
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

const logOf = (path: string): string => `${path}-wal`;

/**
 * Whether no process has a file open. A killed process leaves its log behind, which the next one to close the file
 * removes.
 */
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

/** The seals in a file: none if the file is damaged (a power cut may leave it empty), undefined if there is no file. */
function readSeals(path: string): Readonly<Record<string, Seal>> | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const end = text.indexOf('\n');
    const content = text.slice(end + 1);
    return content !== '' && Number(text.slice(0, end)) === crc32(content) ? JSON.parse(content) : {};
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The current checksums of a file. A file that cannot be read has none; opening it reports why. */
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
