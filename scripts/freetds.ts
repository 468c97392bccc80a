import { spawnSync } from 'node:child_process';

const minutes = 60_000;

/** Makes sure that FreeTDS' tsql and bsqldb are there, when that may be done, and says plainly what came of it. */
export function provideFreeTds(): string {
  if (isThere('tsql') && isThere('bsqldb')) return 'FreeTDS is installed.';
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    console.log('Installing freetds-bin with apt-get …');
    if (install() || (aptGet('update') && install())) return 'FreeTDS was installed with apt-get.';
  }
  return 'FreeTDS is not installed: the tests with tsql and bsqldb are skipped. `sudo apt-get install freetds-bin` brings them in.';
}

function install(): boolean {
  return aptGet('install', '--yes', '--no-install-recommends', 'freetds-bin') && isThere('tsql');
}

function aptGet(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', ['--quiet', ...args], { stdio: 'ignore', env, timeout: 3 * minutes });
  return status === 0;
}

function isThere(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0;
}
