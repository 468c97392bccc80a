import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../source-files.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The package.json of what is built: what is exported is JavaScript, and nothing is needed to build it. */
export function packedManifest(): string {
  const content: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { devDependencies, allowScripts, scripts, private: _, ...rest } = content;
  const exported = Object.entries(content.exports).map(([name, source]) => [name, builtOf(source)]);
  const engines = { node: '>=22.16' };
  return `${JSON.stringify({ ...rest, engines, exports: Object.fromEntries(exported) }, undefined, 2)}\n`;
}

function builtOf(source: string) {
  const stem = source.replace('./src/', './dist/').replace(/\.ts$/, '');
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

/** Compiles the sources to JavaScript, with all that belongs beside them. */
export function buildInto(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  compile('tsconfig.package.json', '--outDir', folder);
  compile('tsconfig.page.json', ...pageOptions, '--outDir', folder);
  // Migrations, schemas, texts of the catalog, scripts of threads: whatever is no TypeScript.
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.endsWith('.ts')) cpSync(path, join(folder, path.slice(join(root, 'src').length)));
  }
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.js')) withBuiltScripts(join(folder, file));
  }
}

/** What makes modules for browsers of what is otherwise only checked. */
const pageOptions = ['--noEmit', 'false', '--rootDir', 'src', '--target', 'es2023'];

function compile(project: string, ...options: readonly string[]): void {
  const arguments_ = ['-p', project, '--rewriteRelativeImportExtensions', ...options];
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), arguments_, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The sources could not be compiled.');
}

/** Scripts of threads are named by their addresses, which the compiler leaves as they are. */
function withBuiltScripts(path: string): void {
  const text = readFileSync(path, 'utf8');
  const built = text.replace(/new URL\('(\.[^']*)\.ts', import\.meta\.url\)/g, "new URL('$1.js', import.meta.url)");
  if (built !== text) writeFileSync(path, built);
}
