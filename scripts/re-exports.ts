import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { projectFiles, root } from './source-files.ts';

const exportedFrom = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'";]*\sfrom\s+'(\.[^']+)'/gm;
const exportedNames = /^export\s+(?:type\s+)?\{([^}]*)\}\s*;/gm;
const imported = /^import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/gm;

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.replace(/^\s*type\s/, '').trim())
    .filter((name) => name !== '')
    .map((name) => name.split(/\sas\s/).at(-1) ?? name);

/** What a file of src/ (a path from there) hands on from another room: that room's names would be had without its door. */
export function reExports(path: string, text: string): string[] {
  const [room = ''] = path.split('/');
  const isElsewhere = (specifier: string): boolean =>
    !posix.join(posix.dirname(path), specifier).startsWith(`${room}/`) && path.includes('/');
  const passed = [...text.matchAll(exportedFrom)].flatMap(([, from = '']) => (isElsewhere(from) ? [from] : []));
  const foreign = new Set(
    [...text.matchAll(imported)].flatMap(([, names = '', from = '']) => (isElsewhere(from) ? namesIn(names) : [])),
  );
  const named = [...text.matchAll(exportedNames)].flatMap(([, names = '']) => namesIn(names));
  return [...passed, ...named.filter((name) => foreign.has(name))].map(
    (what) => `src/${path} exports ${what}, which is another room's`,
  );
}

/** The same for all files of src/. */
export const reExportFaults = (): string[] =>
  projectFiles('src/**/*.ts').flatMap((path) =>
    reExports(posix.relative('src', path), readFileSync(`${root}/${path}`, 'utf8')),
  );
