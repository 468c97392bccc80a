import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { checkViolated, type DuplicateKey, duplicateKey, foreignKeyViolated, nullRefused } from '../constraints.ts';
import { EngineFault, messageOf } from '../fault.ts';
import { Overrun } from './far/watch.ts';
import { isNoRoom, isReadOnly, writeFault } from './files/write-probe.ts';

/** SQLite's extended result codes that Granary distinguishes (sqlite.org/rescode.html). */
const codes = {
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  notDatabase: 26,
  ioWrite: 778,
  ioSync: 1034,
  ioShmSize: 4874,
  busyRecovery: 261,
  check: 275,
  foreignKey: 787,
  notNull: 1299,
  primaryKey: 1555,
  unique: 2067,
  rowId: 2579,
} as const;

/** Details of an error that SQLite does not report, if they can be determined. */
export interface KeyLookup {
  /** The name of the database in errors of its file, and the file. */
  readonly file?: DatabaseFile;
  /** The name of the unique index on columns of a table. */
  indexName(table: string, columns: readonly string[]): string | undefined;
  /** The values that were to be inserted into columns, as SQL Server writes them. */
  values?(columns: readonly string[]): string | undefined;
}

interface DatabaseFile {
  readonly database: string;
  readonly path: string;
}

/** Translates an error of node:sqlite into one of Granary's. */
export function translated(error: unknown, statement: string, lookup?: KeyLookup): Error {
  if (error instanceof SqlError || error instanceof EngineFault || error instanceof Overrun) return error;
  if (isFullDisk(error)) return fullDisk(lookup?.file?.database);
  const message = messageOf(error);
  const subject = message.slice(message.indexOf(': ') + 2);
  switch (codeOf(error)) {
    case codes.primaryKey:
    case codes.rowId:
      return duplicateKey(keyOf(subject, true, lookup), error);
    case codes.unique:
      return duplicateKey(keyOf(subject, false, lookup), error);
    case codes.foreignKey:
      return foreignKeyViolated({ statement }, error);
    case codes.check:
      return checkViolated({ statement, constraint: subject }, error);
    case codes.notNull: {
      const { table, columns } = tableAndColumns(subject);
      return nullRefused({ statement, table, column: columns[0] ?? '' }, error);
    }
    default:
      return (
        failingFile(error, lookup?.file) ??
        new EngineFault(`SQLite could not run a statement: ${message}`, { cause: error, statement })
      );
  }
}

/** Whether another process holds the requested lock. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.busy || code === codes.busyRecovery;
}

/** Whether a file is not a database, or a damaged one. */
export function isDamaged(error: unknown): boolean {
  const code = (codeOf(error) ?? 0) & 0xff;
  return code === codes.corrupt || code === codes.notDatabase;
}

/**
 * Whether the disk was full, either for the file or for its `-shm`, which grows with the log and for which SQLite
 * reports another code.
 */
export function isFullDisk(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.full || code === codes.ioShmSize;
}

/** The error that callers get in that case. */
export const fullDisk = (database = ''): SqlError => sqlError(9002, database, 'DISK_FULL');

/** Whether SQLite itself could not sync the log, which it does when the log restarts. */
export function isFailedSync(error: unknown): boolean {
  return codeOf(error) === codes.ioSync;
}

/** What is wrong with a database file: it is read-only, it cannot be read or written, or it is damaged. */
function failingFile(error: unknown, file: DatabaseFile | undefined): SqlError | undefined {
  if (file === undefined) return undefined;
  const { database } = file;
  // The low byte is the primary result code; the rest gives details.
  switch ((codeOf(error) ?? 0) & 0xff) {
    case codes.readOnly:
      return sqlError(3906, database);
    case codes.io:
      // A failed sync ends the server, but its callers must still be answered.
      if (isFailedSync(error)) return undefined;
      return codeOf(error) === codes.ioWrite ? notWritten(error, file) : sqlError(823, database, messageOf(error));
    case codes.corrupt:
    case codes.notDatabase:
      return sqlError(824, database, messageOf(error));
    default:
      return undefined;
  }
}

/** What a failed write was: no room in a quota or below a limit, a file system that became read-only, or anything else. */
function notWritten(error: unknown, { database, path }: DatabaseFile): SqlError {
  const fault = writeFault(path);
  if (isNoRoom(fault)) return fullDisk(database);
  if (isReadOnly(fault)) return sqlError(3906, database);
  return sqlError(823, database, messageOf(fault ?? error));
}

/** SQLite's extended result code. */
export function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

function keyOf(subject: string, primary: boolean, lookup: KeyLookup | undefined): DuplicateKey {
  const { table, columns, constraint } = tableAndColumns(subject);
  const name = constraint ?? (primary ? undefined : lookup?.indexName(table, columns));
  const values = lookup?.values?.(columns);
  return {
    primary,
    table,
    columns,
    ...(name === undefined ? {} : { constraint: name }),
    ...(values === undefined ? {} : { values }),
  };
}

/** `items.job_id, items.item_id`, or `index 'name'` for an index on expressions. */
function tableAndColumns(subject: string): { table: string; columns: string[]; constraint?: string } {
  const index = /^index '(.+)'$/.exec(subject);
  if (index !== null) return { table: '', columns: [], constraint: String(index[1]) };
  const parts = subject.split(', ').map((part) => part.split('.'));
  return { table: parts[0]?.[0] ?? '', columns: parts.map((part) => part[1] ?? '') };
}
