import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../source-files.ts';
import { buildInto, packedManifest } from './build.ts';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

/** What of a package nobody needs who only runs it. */
const needless = /\.(map|d\.[mc]?ts)$/;

/** Lays down all that a server runs from: the compiled sources, and the packages that they import. */
export function makeTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  buildInto(join(folder, 'dist'));
  for (const name of ['bin', 'LICENSE']) cpSync(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'package.json'), packedManifest());
  const { packages }: LockFile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { dev = false }] of Object.entries(packages)) {
    if (path === '' || dev) continue;
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (source) => !needless.test(source) });
  }
}
