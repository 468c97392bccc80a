import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { mapperPackages } from '../test/clients/orms/mappers.ts';
import {
  browserPackages,
  type ClientPackages,
  clientPackages,
  clusterPackages,
  howToInstall,
  windowsPackages,
  workerPackages,
} from '../test/clients/packages.ts';

const minutes = 60_000;

/** Makes sure that the clients of the matrix are there, as far as that may be done, and says plainly what came of it. */
export function provideClients(more: Readonly<Record<string, ClientPackages>> = {}): string[] {
  const missing = absent(more);
  if (missing.length === 0)
    return [
      'All clients of docs/clients.md, and what Windows authentication, clusters, workers and the console are tested with, are installed.',
    ];
  if (process.env['GRANARY_TEST_INSTALL'] !== 'no' && process.getuid?.() === 0 && isThere('command -v apt-get')) {
    const packages = [...new Set(missing.flatMap(({ debian }) => debian))];
    console.log(`Installing ${packages.join(' ')} with apt-get …`);
    const isDone = install(packages) || install(packages, aptGet('update'));
    // One package that this system does not have must not keep all others away.
    if (!isDone) for (const { debian } of missing) if (debian.length > 0) install(debian);
  }
  if (process.env['GRANARY_TEST_INSTALL'] !== 'no') {
    for (const { file, folder } of missing) {
      if (file !== undefined) take(file);
      if (folder !== undefined) fill(folder);
    }
  }
  return [
    ...missing.filter((client) => isThere(client.probe)).map(({ title }) => `${title} was installed.`),
    ...absent(more).map((client) => `${client.title} is not installed, its tests are skipped: ${howToInstall(client)}`),
  ];
}

const absent = (more: Readonly<Record<string, ClientPackages>>): ClientPackages[] =>
  [clientPackages, windowsPackages, clusterPackages, mapperPackages, workerPackages, browserPackages, more]
    .flatMap((packages): ClientPackages[] => Object.values(packages))
    .filter(({ probe }) => !isThere(probe));

function install(packages: readonly string[], isReady = true): boolean {
  return isReady && aptGet('install', '--yes', '--no-install-recommends', ...packages);
}

/** Takes one file out of a package of npm; where that fails the client stays missing, and its tests say so. */
function take({ npm, path, to }: NonNullable<ClientPackages['file']>): void {
  console.log(`Taking ${basename(to)} out of ${npm} …`);
  const folder = mkdtempSync(join(tmpdir(), 'granary-client-'));
  const run = (command: string, ...args: readonly string[]): boolean =>
    spawnSync(command, args, { cwd: folder, stdio: 'ignore', timeout: 10 * minutes }).status === 0;
  try {
    if (!run('npm', 'pack', npm)) return;
    const [archive] = readdirSync(folder);
    if (archive === undefined || !run('tar', '-xzf', archive, path)) return;
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(folder, path), to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts a package of npm into a folder of its own; where that fails the client stays missing. */
function fill({ npm, to }: NonNullable<ClientPackages['folder']>): void {
  console.log(`Installing ${npm} into ${to} …`);
  mkdirSync(to, { recursive: true });
  const quietly = ['--ignore-scripts', '--legacy-peer-deps', '--no-package-lock', '--no-audit', '--no-fund'];
  spawnSync('npm', ['install', ...quietly, '--prefix', '.', npm], { cwd: to, stdio: 'ignore', timeout: 10 * minutes });
}

function aptGet(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', ['--quiet', ...args], { stdio: 'ignore', env, timeout: 10 * minutes });
  return status === 0;
}

function isThere(probe: string): boolean {
  return spawnSync('sh', ['-c', probe], { stdio: 'ignore' }).status === 0;
}
