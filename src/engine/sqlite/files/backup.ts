import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineFault } from '../../fault.ts';
import type { AppliedMigration } from '../../migrations.ts';
import { foldedName } from '../../names.ts';
import { isBusy } from '../errors.ts';
import { existingFile } from './existing-file.ts';
import { fileAt, systemFile } from './files.ts';
import { Seals } from './seals.ts';
import { damageAtFirstSight } from './soundness.ts';

/** A database whose state at the time of the backup is held in a snapshot. */
interface HeldDatabase {
  readonly name: string;
  readonly kind: string;
  readonly place: string;
  readonly migrations: readonly AppliedMigration[];
  /** Copies that state into a file and reports which share of it is done. */
  copyTo(file: string, progress: (share: number) => void, signal: AbortSignal): Promise<void>;
}

/** The state of several databases at one point in time, held until it is disposed of. */
interface HeldMoment extends Disposable {
  readonly moment: Date;
  readonly databases: readonly HeldDatabase[];
}

/** Milliseconds to wait for the lock of one database while those of others are held; longer with every attempt. */
const patience = [100, 250, 500, 1000, 2000, 4000];
/** Milliseconds after which the backup gives up because of a client's open transaction. */
const longestWait = 120_000;
const pagesAStep = 2000;

/**
 * Holds the state of all databases of a folder, or of one, at one point in time, while servers write to them. The write
 * locks of all of them are held only while the snapshots are opened; the signal ends the wait for them.
 */
export async function holdMoment(folder: string, only?: string, signal?: AbortSignal): Promise<HeldMoment> {
  using inside = new DisposableStack();
  const [seals, opened] = [new Seals(folder), new Set([systemFile])];
  seals.take();
  inside.defer(() => seals.put(opened));
  const admit = (each: Wanted) => {
    refuseDamage(folder, each, seals);
    opened.add(each.place);
  };
  const held = await holdIn(folder, only, admit, signal);
  inside.use(held);
  const leave = inside.move();
  return { ...held, [Symbol.dispose]: () => leave.dispose() };
}

/**
 * Refuses a damaged file: its backup would be mistaken for a good one, and opening the file destroys the evidence of
 * the damage.
 */
function refuseDamage(folder: string, { name, place }: Wanted, seals: Seals): void {
  const path = fileAt(folder, place);
  const seen = seals.look(place);
  const damage = damageAtFirstSight(path) ?? (typeof seen === 'object' ? seen.changed : undefined);
  if (damage === undefined) return;
  throw new EngineFault(
    `${name} is not whole, and nothing was backed up: the file ${path} cannot be used: ${damage}. Restore it from a backup ` +
      '(granary restore FILE --database NAME --force), or back up the others one by one (--database NAME).',
  );
}

async function holdIn(
  folder: string,
  only: string | undefined,
  admit: (database: Wanted) => void,
  signal: AbortSignal | undefined,
): Promise<HeldMoment> {
  admit({ name: 'granary', kind: 'system', place: systemFile });
  using systemDatabase = openedAt(folder, systemFile);
  const own = { name: 'granary', kind: 'system', place: systemFile };
  const deadline = performance.now() + longestWait;
  for (let tries = 0; ; tries++) {
    const listed = listedIn(systemDatabase.value).filter(({ name }) => !only || foldedName(name) === foldedName(only));
    if (only !== undefined && listed.length === 0) throw new EngineFault(`There is no database ${only}.`);
    const wanted = only === undefined ? [own, ...listed] : listed;
    for (const each of wanted) admit(each);
    const held = tryHold(folder, wanted, patience[Math.min(tries, patience.length - 1)] ?? 0);
    if (typeof held !== 'string') return held;
    if (performance.now() > deadline) {
      throw new EngineFault(`The database ${held} is locked by an open transaction; end it and try again.`);
    }
    await sleep(50, undefined, signal === undefined ? {} : { signal });
  }
}

type Wanted = Pick<HeldDatabase, 'name' | 'kind' | 'place'>;

/** Holds the snapshots of all databases, or returns the name of the one that another process has locked. */
function tryHold(folder: string, wanted: readonly Wanted[], timeout: number): HeldMoment | string {
  using locks = new DisposableStack();
  using readers = new DisposableStack();
  for (const { name, place } of wanted) {
    const lock = locks.use(openedAt(folder, place)).value;
    lock.exec(`pragma busy_timeout = ${timeout}`);
    try {
      lock.exec('begin immediate');
    } catch (error) {
      if (isBusy(error)) return name;
      throw error;
    }
    locks.defer(() => lock.exec('rollback'));
  }
  const databases = wanted.map((each) => {
    const reader = readers.use(openedAt(folder, each.place)).value;
    reader.exec('begin; select 1 from sqlite_schema limit 1');
    return held(each, reader);
  });
  const moment = new Date();
  const open = readers.move();
  return { moment, databases, [Symbol.dispose]: () => open.dispose() };
}

function held(each: Wanted, reader: DatabaseSync): HeldDatabase {
  return {
    ...each,
    migrations: appliedTo(reader),
    async copyTo(file, progress, signal) {
      const tell = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) => {
        signal.throwIfAborted(); // which ends the copy
        progress((totalPages - remainingPages) / totalPages);
      };
      // A source with an open read transaction is copied as that transaction sees it, whatever is written in the
      // meantime.
      await backup(reader, file, { rate: pagesAStep, progress: tell });
    },
  };
}

function openedAt(folder: string, place: string): { readonly value: DatabaseSync } & Disposable {
  const path = fileAt(folder, place);
  const value = new DatabaseSync(existingFile(path), { timeout: 5000 });
  return { value, [Symbol.dispose]: () => value.close() };
}

const listedIn = (system: DatabaseSync): Wanted[] =>
  system
    .prepare('select name, kind, place from granary_databases where dropped is null and ready = 1 order by folded')
    .all()
    .map(({ name, kind, place }) => ({ name: String(name), kind: String(kind), place: String(place) }));

function appliedTo(database: DatabaseSync): AppliedMigration[] {
  const text = 'select area, number, name, checksum from granary_migrations order by area, number';
  return database
    .prepare(text)
    .all()
    .map(({ area, number, name, checksum }) => ({
      area: String(area),
      number: Number(number),
      name: String(name),
      checksum: String(checksum),
    }));
}
