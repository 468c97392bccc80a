// Plain JavaScript that Node 20 understands: installs the dependencies when they are missing or out of date.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** npm writes this file at the end of an install, so its age is that of the whole folder. */
const installed = join(root, 'node_modules/.package-lock.json');
const wanted = join(root, 'package-lock.json');

function isUpToDate() {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs;
}

if (!isUpToDate()) {
  process.stderr.write('Installing dependencies (npm install) …\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  // Not `npm ci`: it refuses a lock file that lacks the tools' builds for other platforms, which some registries do not
  // carry. This installs what the lock file says as well, and does not write to it.
  const { status, error } = spawnSync(
    npm,
    ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'],
    options,
  );
  if (status !== 0) {
    process.stderr.write(`npm install failed${error ? `: ${error.message}` : ''}. Is the registry reachable?\n`);
    process.exit(status ?? 1);
  }
}
