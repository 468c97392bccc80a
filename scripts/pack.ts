// `npm pack` calls this before and after: the package has JavaScript that runs under node_modules, where Node strips no types.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');
const manifest = join(root, 'package.json');
/** Where the manifest of the sources lies while that of the package has its place. */
const kept = join(root, '.granary/package.json');

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

const [, , step] = process.argv;
if (step === 'before') before();
else if (step === 'after') after();
else throw new Error('pack.ts before|after');

function before(): void {
  after(); // what an interrupted run left
  build();
  mkdirSync(join(root, '.granary'), { recursive: true });
  cpSync(manifest, kept);
  const content: Manifest = JSON.parse(readFileSync(manifest, 'utf8'));
  const { devDependencies, allowScripts, scripts, private: _, ...rest } = content;
  const exported = Object.entries(content.exports).map(([name, source]) => [name, builtOf(source)]);
  const engines = { node: '>=22.16' };
  writeFileSync(
    manifest,
    `${JSON.stringify({ ...rest, engines, exports: Object.fromEntries(exported) }, undefined, 2)}\n`,
  );
}

function after(): void {
  if (existsSync(kept)) cpSync(kept, manifest);
  rmSync(kept, { force: true });
  rmSync(dist, { recursive: true, force: true });
}

function builtOf(source: string) {
  const stem = source.replace('./src/', './dist/').replace(/\.ts$/, '');
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

function build(): void {
  rmSync(dist, { recursive: true, force: true });
  compile('tsconfig.package.json');
  compile('tsconfig.page.json', ...pageOptions);
  // Migrations, schemas, texts of the catalog, scripts of threads: whatever is no TypeScript.
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.endsWith('.ts')) cpSync(path, join(dist, path.slice(join(root, 'src').length)));
  }
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.js')) withBuiltScripts(join(dist, file));
  }
}

/** What makes modules for browsers of what is otherwise only checked. */
const pageOptions = ['--noEmit', 'false', '--outDir', 'dist', '--rootDir', 'src', '--target', 'es2023'];

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
