import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname, posix } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A file that browsers get. */
export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** All files that browsers get, by their path below `base`. */
export interface Assets {
  /** Where they are; it changes with what is in them, so that they may be kept for ever. */
  readonly base: string;
  readonly files: ReadonlyMap<string, Asset>;
  /** The module that a page begins with. */
  readonly main: string;
  /** The modules that it needs before anything is shown. */
  readonly needed: readonly string[];
  /** The modules that a page needs besides, by the first word of its address. */
  readonly ofPage: ReadonlyMap<string, readonly string[]>;
}

/** What pages import by name, and the file of the package that it is. */
const libraries: Readonly<Record<string, string>> = {
  preact: 'preact',
  'preact/hooks': 'preact/hooks',
  htm: 'htm',
  uplot: 'uplot/dist/uPlot.esm.js',
};

/** Other files of packages. */
const styles: Readonly<Record<string, string>> = { 'lib/uplot.css': 'uplot/dist/uPlot.min.css' };

const types: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const zip = promisify(gzip);

/** Reads all files that browsers get: modules of the folders `api` and `page`, and the libraries that they import. */
export async function loadAssets(): Promise<Assets> {
  const texts = new Map<string, string>();
  for (const folder of ['api', 'page']) {
    const root = fileURLToPath(new URL(`${folder}/`, import.meta.url));
    for (const path of await readdir(root, { recursive: true })) {
      if (types[extname(path)] === undefined || /\.(test|d)\.ts$/.test(path)) continue;
      texts.set(posix.join(folder, path.replaceAll('\\', '/')), await readFile(`${root}/${path}`, 'utf8'));
    }
  }
  const names = Object.keys(libraries);
  for (const name of names) texts.set(libraryPath(name), await textOf(libraries[name] ?? name));
  for (const [path, of] of Object.entries(styles)) texts.set(path, await textOf(of));
  const hash = createHash('sha256');
  for (const [path, text] of [...texts].sort()) hash.update(`${path}\0${text}\0`);
  const base = `/console/assets/${hash.digest('base64url').slice(0, 12)}/`;
  const served = [...texts].map(([path, text]) => [path, servedText(path, text, base)] as const);
  const main = texts.has('page/main.ts') ? 'page/main.ts' : 'page/main.js';
  const modules = new Map(served);
  const needed = reached(main, modules, base);
  return {
    base,
    files: new Map(await Promise.all(served.map(async ([path, text]) => [path, await assetOf(path, text)] as const))),
    main,
    needed: [...needed],
    ofPage: new Map(pageModules(modules).map(([name, path]) => [name, besides(path, modules, base, needed)])),
  };
}

const libraryPath = (name: string): string => `lib/${name.replaceAll('/', '-')}.js`;

const textOf = (specifier: string): Promise<string> => readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8');

async function assetOf(path: string, text: string): Promise<Asset> {
  const plain = Buffer.from(text);
  return { type: types[extname(path)] ?? 'text/plain', plain, zipped: await zip(plain, { level: 9 }) };
}

/** A module as a browser understands it: without types, and with the addresses of libraries in place of their names. */
function servedText(path: string, text: string, base: string): string {
  if (!/\.(ts|js)$/.test(path)) return text;
  const script = path.endsWith('.ts') ? withoutTypes(text) : text;
  return script
    .replace(/\b(from\s*|import\s*\(?\s*)(["'])([\w/]+)\2/g, (all, before: string, quote: string, name: string) =>
      Object.hasOwn(libraries, name) ? `${before}${quote}${base}${libraryPath(name)}${quote}` : all,
    )
    .replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

/** Node says each time anew that the function may change, which is nothing that an operator can act on. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The module of each page, by the first word of its address. */
const pageModules = (texts: ReadonlyMap<string, string>) =>
  [...texts.keys()].flatMap((path) => {
    const [, name] = /^page\/(\w+)\/\1-page\.[jt]s$/.exec(path) ?? [];
    return name === undefined ? [] : [[name, path] as const];
  });

/** What a page needs besides what all do; the first page has plots, whose library is loaded with the first one. */
const besides = (path: string, texts: ReadonlyMap<string, string>, base: string, needed: ReadonlySet<string>) => [
  path,
  ...[...reached(path, texts, base)].filter((each) => !needed.has(each)),
  ...(path.startsWith('page/overview/') ? [libraryPath('uplot')] : []),
];

/** The modules that a module imports at once, and those that they import. */
function reached(from: string, texts: ReadonlyMap<string, string>, base: string, known = new Set<string>()) {
  for (const [, , specifier = ''] of (texts.get(from) ?? '').matchAll(/\bfrom\s*(["'])([^"']+)\1/g)) {
    const path = specifier.startsWith(base) ? specifier.slice(base.length) : posix.join(posix.dirname(from), specifier);
    if (known.has(path) || !texts.has(path)) continue;
    known.add(path);
    reached(path, texts, base, known);
  }
  return known;
}
