// `npm run package:debian`: a package for Debian and its kin, made with dpkg-deb and tried: unpacked, and with `-- --install`
// (as root) installed, served by its own user with systemd's protocol of readiness, and purged again.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../source-files.ts';
import {
  controlFile,
  copyright,
  debianChanges,
  environmentFile,
  lintianOverrides,
  maintainerScripts,
  manualPage,
  wrapper,
} from './debian-files.ts';
import { makeTree } from './tree.ts';
import { tryInstalled } from './try-installed.ts';
import { tryServer } from './try-server.ts';

/** What Debian calls the machines that Node is built for. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Makes the package and returns its path. */
export function makeDebianPackage(): string {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new Error(`Debian has no name here for ${process.arch}.`);
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const work = mkdtempSync(join(tmpdir(), 'granary-debian-'));
  try {
    lay(work, version);
    const kilobytes = Math.ceil(sizeOf(work) / 1024);
    put(work, 'DEBIAN/control', controlFile(version, architecture, kilobytes));
    put(work, 'DEBIAN/conffiles', '/etc/granary/environment\n');
    for (const [name, text] of Object.entries(maintainerScripts)) put(work, `DEBIAN/${name}`, text, 0o755);
    const output = join(root, 'build', `granary_${version}_${architecture}.deb`);
    mkdirSync(dirname(output), { recursive: true });
    run('dpkg-deb', '--root-owner-group', '-Zxz', '-z3', '--build', work, output);
    return output;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The files where they are installed. Node comes along: Debian's own is too old, and the package shall not depend on it. */
function lay(work: string, version: string): void {
  chmodSync(work, 0o755);
  makeTree(join(work, 'usr/lib/granary'));
  cpSync(process.execPath, join(work, 'usr/lib/granary/node'), { dereference: true });
  put(work, 'usr/bin/granary', wrapper, 0o755);
  put(work, 'etc/granary/environment', environmentFile);
  const unit = readFileSync(join(root, 'examples/packaging/granary.service'), 'utf8');
  put(work, 'lib/systemd/system/granary.service', unit);
  put(work, 'usr/share/doc/granary/copyright', copyright);
  put(work, 'usr/share/lintian/overrides/granary', lintianOverrides);
  const packed = (text: string) => gzipSync(text, { level: 9 });
  put(work, 'usr/share/man/man1/granary.1.gz', packed(manualPage));
  put(work, 'usr/share/doc/granary/changelog.gz', packed(debianChanges(version, new Date())));
  put(work, 'usr/share/doc/granary/CHANGELOG.md.gz', packed(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')));
  for (const entry of readdirSync(work, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.name === '.npmignore') rmSync(path);
  }
}

function put(work: string, path: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), content);
  chmodSync(join(work, path), mode);
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

function run(command: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined || status !== 0) throw new Error(`${command} failed.`, { cause: error });
}

if (import.meta.main) {
  const path = makeDebianPackage();
  console.log(`${path}, ${Math.round(statSync(path).size / 1024 ** 2)} MB`);
  const home = mkdtempSync(join(tmpdir(), 'granary-debian-try-'));
  try {
    if (process.argv.includes('--install')) await tryInstalled(path, home);
    else {
      run('dpkg-deb', '-x', path, join(home, 'root'));
      const installed = join(home, 'root/usr/lib/granary');
      await tryServer(join(installed, 'node'), [join(installed, 'bin/granary.js')], process.env, home);
      console.log(
        'unpacked and tried; npm run package:debian -- --install (as root) installs it, tries it and purges it',
      );
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
