// `npm pack` calls this before and after: the package has JavaScript that runs under node_modules, where Node strips no types.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildInto, packedManifest } from './package/build.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');
const manifest = join(root, 'package.json');
/** Where the manifest of the sources lies while that of the package has its place. */
const kept = join(root, '.granary/package.json');

const [, , step] = process.argv;
if (step === 'before') before();
else if (step === 'after') after();
else throw new Error('pack.ts before|after');

function before(): void {
  after(); // what an interrupted run left
  buildInto(dist);
  mkdirSync(join(root, '.granary'), { recursive: true });
  cpSync(manifest, kept);
  writeFileSync(manifest, packedManifest());
}

function after(): void {
  if (existsSync(kept)) cpSync(kept, manifest);
  rmSync(kept, { force: true });
  rmSync(dist, { recursive: true, force: true });
}
