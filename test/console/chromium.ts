import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { browserPackages } from '../clients/packages.ts';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** Why there is no browser here to test with; undefined where there is one. */
export const noBrowser: string | undefined =
  program === undefined
    ? `Chromium is not installed: apt-get install ${browserPackages.chromium.debian.join(' ')}`
    : undefined;

// Tests often run as root, and in containers with little shared memory.
const usual = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];

/** A browser without a window; it is closed when disposed. */
export async function launchBrowser(): Promise<Browser & AsyncDisposable> {
  assert.ok(program, 'there is a browser');
  return chromium.launch({ executablePath: program, args: usual });
}

/** A browser with a profile of its own in a folder: without one it proves to nobody whose ticket it has. It trusts `localhost` with that. */
export async function launchAs(
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<BrowserContext & AsyncDisposable> {
  return chromium.launchPersistentContext(folder, {
    ...(program === undefined ? {} : { executablePath: program }),
    args: [...usual, '--auth-server-allowlist=localhost'],
    env: { ...process.env, ...environment },
  });
}
