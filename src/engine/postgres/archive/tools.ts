import { execFile } from 'node:child_process';
import { existsSync, globSync, realpathSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** One of PostgreSQL's own programs. */
export interface Tool {
  readonly path: string;
  /** `15.18` */
  readonly version: string;
  readonly major: number;
}

/** A suitable tool, or why there is none. */
export type Found = { readonly tool: Tool } | { readonly lack: string };

/** Where distributions install the programs of each release: Debian, Red Hat. */
const usualFolders = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin'];

/**
 * The first suitable one of the installed programs of a name, on the path or where distributions install them; `where`
 * is a folder to look in instead, or `none`.
 */
export async function findTool(
  name: 'pg_dump' | 'pg_restore',
  where: string | undefined,
  misfit: (major: number) => string | undefined,
): Promise<Found> {
  if (where === 'none') return { lack: '--tools none' };
  const lacks: string[] = [];
  for (const folder of where === undefined ? folders() : [where]) {
    const tool = await toolAt(join(folder, name));
    if (tool === undefined) continue;
    const lack = misfit(tool.major);
    if (lack === undefined) return { tool };
    lacks.push(`${name} ${tool.version} ${lack}`);
  }
  return { lack: lacks[0] ?? `there is no ${name}${where === undefined ? '' : ` in ${where}`}` };
}

function folders(): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const newestFirst = new Intl.Collator('en', { numeric: true }).compare;
  return [...path, ...usualFolders.flatMap((pattern) => globSync(pattern)).toSorted((a, b) => newestFirst(b, a))];
}

async function toolAt(path: string): Promise<Tool | undefined> {
  // Debian's wrapper runs one release or another, depending on its own settings.
  if (!existsSync(path) || basename(realpathSync(path)) === 'pg_wrapper') return undefined;
  const { stdout } = await promisify(execFile)(path, ['--version']).catch(() => ({ stdout: '' }));
  const [, version, major] = /\(PostgreSQL\) ((\d+)\S*)/.exec(stdout) ?? [];
  return version === undefined ? undefined : { path, version, major: Number(major) };
}
