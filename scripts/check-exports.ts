import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { projectFiles, root } from './source-files.ts';

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;
const imported = /^(?:import|export)\s+(?:type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'(\.[^']+)'/gm;
const dynamic = /(?:\{([^{}]*)\}\s*=\s*await\s+|\b)import\('(\.[^']+)'\)(?:\s*\.then\(\(\{([^{}]*)\}\))?/g;
const inType = /\bimport\('(\.[^']+)'\)\.(\w+)/g;

/** Where a name is used: `src` stands for everything but tests. */
type Use = 'src' | 'test';

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.startsWith('test/');

const namesIn = (list: string): string[] =>
  list
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.replace(/^\s*type\s/, '').replace(/(?:\sas\s|:).*/s, ''))
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** What the files of a project import of each other: by file and name, `*` for all of it. */
function usesOf(files: ReadonlyMap<string, string>): Map<string, Set<Use>> {
  const uses = new Map<string, Set<Use>>();
  for (const [path, text] of files) {
    const use = isTest(path) ? 'test' : 'src';
    const note = (specifier: string, names: readonly string[]) => {
      const target = posix.join(posix.dirname(path), specifier);
      for (const name of names) {
        const key = `${target} ${name}`;
        uses.set(key, (uses.get(key) ?? new Set()).add(use));
      }
    };
    for (const [, list = '', from = ''] of text.matchAll(imported)) note(from, list[0] === '*' ? ['*'] : namesIn(list));
    for (const [, before, from = '', after] of text.matchAll(dynamic)) note(from, namesIn(before ?? after ?? '*'));
    for (const [, from = '', name = ''] of text.matchAll(inType)) note(from, [name]);
  }
  return uses;
}

/** Exports of src/ that nobody imports, or that only tests do; a line each. */
export function exportFaults(files: ReadonlyMap<string, string>): { nobody: string[]; onlyTests: string[] } {
  const uses = usesOf(files);
  const nobody: string[] = [];
  const onlyTests: string[] = [];
  for (const [path, text] of files) {
    if (!path.startsWith('src/') || isTest(path)) continue;
    for (const [, name = ''] of text.matchAll(declaration)) {
      const by = new Set([...(uses.get(`${path} ${name}`) ?? []), ...(uses.get(`${path} *`) ?? [])]);
      if (by.size === 0) nobody.push(`${path} exports ${name}, which nobody imports`);
      else if (!by.has('src')) onlyTests.push(`${path} exports ${name} for tests`);
    }
  }
  return { nobody, onlyTests };
}

if (import.meta.main) {
  const paths = projectFiles('{bin,src,test,scripts,bench,examples}/**/*.{ts,js}');
  const texts = new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]));
  const { nobody, onlyTests } = exportFaults(texts);
  // What a test of its own checks may be exported for that test; the list is there to be kept short.
  for (const line of [...nobody, ...onlyTests]) console.log(line);
  console.log(`${nobody.length} exports that nobody imports, ${onlyTests.length} for tests`);
  process.exitCode = nobody.length > 0 ? 1 : 0;
}
