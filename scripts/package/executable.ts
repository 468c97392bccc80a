// `npm run package:executable`: one file for Linux that needs nothing else, made by Node's own means (single executable
// applications), and tried. It holds Node itself and all that a server runs from.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { root } from '../source-files.ts';
import { makeTree } from './tree.ts';
import { tryServer } from './try-server.ts';

/** Makes the executable and returns its path. */
export function makeExecutable(): string {
  const work = mkdtempSync(join(tmpdir(), 'granary-executable-'));
  try {
    const tree = join(work, 'tree');
    makeTree(tree);
    const files = packed(tree);
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const hash = createHash('sha256').update(files).digest('hex').slice(0, 16);
    writeFileSync(join(work, 'files'), files);
    writeFileSync(join(work, 'name'), `${version}-${hash}`);
    const output = join(root, 'build', 'granary');
    mkdirSync(join(root, 'build'), { recursive: true });
    const config = {
      main: join(root, 'scripts/package/executable-main.cjs'),
      output,
      disableExperimentalSEAWarning: true,
      assets: { files: join(work, 'files'), name: join(work, 'name') },
    };
    writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
    const { status } = spawnSync(process.execPath, ['--build-sea', join(work, 'sea.json')], { stdio: 'inherit' });
    if (status !== 0) throw new Error('Node did not build the executable.');
    return output;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** All files of a folder as one: how long the list is, the list of paths and lengths, then the files; compressed. */
function packed(folder: string): Buffer {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const contents = paths.map((path) => readFileSync(path));
  const list = Buffer.from(JSON.stringify(paths.map((path, i) => [relative(folder, path), contents[i]?.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 19 } };
  return zstdCompressSync(Buffer.concat([length, list, ...contents]), level);
}

if (import.meta.main) {
  const path = makeExecutable();
  console.log(`${path}, ${Math.round(statSync(path).size / 1024 ** 2)} MB`);
  const home = mkdtempSync(join(tmpdir(), 'granary-executable-home-'));
  try {
    await tryServer(path, [], { ...process.env, GRANARY_UNPACKED: join(home, 'unpacked') }, home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
