import type { AppliedMigration } from '../engine/migrations.ts';

/** The latest form of an archive that is known; a reader refuses a later one. */
export const format = 2;

/** The form of an archive with such files: what pg_dump wrote came with the second, and nothing else. */
export const formOf = (files: readonly StoredFile[]): number =>
  files.some(({ path }) => /^databases\/[^/]+\/dump\.json$/.test(path)) ? format : 1;

/** The name of the manifest in the archive: it comes last, so that an archive that was cut short has none. */
export const manifestName = 'manifest.json';

/** One file of an archive. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of what is in it, in hexadecimal digits. */
  readonly sha256: string;
}

/** A database in an archive. */
export interface StoredDatabase {
  readonly name: string;
  readonly kind: string;
  /** The file or schema that it was kept in. */
  readonly place: string;
  /** The changes of tables that it has had. */
  readonly migrations: readonly AppliedMigration[];
}

/** What an archive is and holds. */
export interface Manifest {
  readonly format: number;
  /** The release of Granary that wrote it. */
  readonly release: string;
  readonly engine: 'sqlite' | 'postgres';
  /** The moment that all of it is of. */
  readonly moment: string;
  /** True when it holds everything: logins and settings too. */
  readonly whole: boolean;
  readonly databases: readonly StoredDatabase[];
  readonly files: readonly StoredFile[];
}
