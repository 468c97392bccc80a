import type { AppliedMigration } from '../engine/migrations.ts';
import { isLongPath } from './tar.ts';

/** The latest archive format that is supported; a reader refuses a later one. */
export const format = 2;

/**
 * The format of an archive with these files: the second added output of pg_dump and paths in two fields, and nothing
 * else.
 */
export const formOf = (files: readonly StoredFile[]): number =>
  files.some(({ path }) => /^databases\/[^/]+\/dump\.json$/.test(path) || isLongPath(path)) ? format : 1;

/** The name of the manifest in the archive: it comes last, so that a truncated archive has none. */
export const manifestName = 'manifest.json';

/** One file of an archive. */
export interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of its content, in hexadecimal digits. */
  readonly sha256: string;
}

/** A database in an archive. */
export interface StoredDatabase {
  readonly name: string;
  readonly kind: string;
  /** The file or schema in which it was stored. */
  readonly place: string;
  /** The migrations applied to it. */
  readonly migrations: readonly AppliedMigration[];
}

/** The description of an archive. */
export interface Manifest {
  readonly format: number;
  /** The release of Granary that wrote it. */
  readonly release: string;
  readonly engine: 'sqlite' | 'postgres';
  /** The time of the snapshot. */
  readonly moment: string;
  /** True if it contains everything: logins and settings too. */
  readonly whole: boolean;
  readonly databases: readonly StoredDatabase[];
  readonly files: readonly StoredFile[];
}

/** Whether this is what a backup wrote; other programs have files of the same name in their archives. */
export const isManifest = (value: unknown): value is Manifest =>
  typeof value === 'object' &&
  value !== null &&
  'format' in value &&
  typeof value.format === 'number' &&
  'databases' in value &&
  Array.isArray(value.databases) &&
  'files' in value &&
  Array.isArray(value.files);
