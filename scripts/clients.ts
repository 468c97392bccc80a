import { spawnSync } from 'node:child_process';
import { type ClientPackages, clientPackages, howToInstall } from '../test/clients/packages.ts';

const minutes = 60_000;

/** Makes sure that the clients of the matrix are there, as far as that may be done, and says plainly what came of it. */
export function provideClients(): string[] {
  const missing = absent();
  if (missing.length === 0) return ['All clients of docs/clients.md are installed.'];
  if (process.env['GRANARY_TEST_INSTALL'] !== 'no' && process.getuid?.() === 0 && isThere('command -v apt-get')) {
    const packages = [...new Set(missing.flatMap(({ debian }) => debian))];
    console.log(`Installing ${packages.join(' ')} with apt-get …`);
    if (!install(packages)) install(packages, aptGet('update'));
  }
  return [
    ...missing.filter((client) => isThere(client.probe)).map(({ title }) => `${title} was installed with apt-get.`),
    ...absent().map((client) => `${client.title} is not installed, its tests are skipped: ${howToInstall(client)}`),
  ];
}

const absent = (): ClientPackages[] => Object.values(clientPackages).filter(({ probe }) => !isThere(probe));

function install(packages: readonly string[], isReady = true): boolean {
  return isReady && aptGet('install', '--yes', '--no-install-recommends', ...packages);
}

function aptGet(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', ['--quiet', ...args], { stdio: 'ignore', env, timeout: 10 * minutes });
  return status === 0;
}

function isThere(probe: string): boolean {
  return spawnSync('sh', ['-c', probe], { stdio: 'ignore' }).status === 0;
}
