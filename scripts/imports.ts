import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { projectFiles, root } from './source-files.ts';

/** One import of a file by another; both are paths from src/. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm;
const dynamic = /\bimport\('(\.[^']+)'\)/g;

/** Every import between the files of src/, tests left out: they may look anywhere. */
export function importsOfSource(): Import[] {
  return projectFiles('src/**/*.ts')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const text = readFileSync(`${root}/${path}`, 'utf8');
      const target = (specifier: string) => posix.relative('src', posix.join(posix.dirname(path), specifier));
      const from = posix.relative('src', path);
      return [
        ...[...text.matchAll(statement)].map(([, type, to = '']) => ({ from, to: target(to), isType: Boolean(type) })),
        ...[...text.matchAll(dynamic)].map(([, to = '']) => ({ from, to: target(to), isType: false })),
      ];
    });
}
