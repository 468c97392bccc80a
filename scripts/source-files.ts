import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Files of the project that match, as paths from its root with forward slashes, in order. */
export function projectFiles(...patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: root, exclude: ['node_modules/**', 'data/**', '.git/**'] })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
