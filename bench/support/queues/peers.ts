import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The queues that Granary is compared with, as npm has them. They are installed when they are first measured. */
const versions = { 'graphile-worker': '0.18.0', 'pg-boss': '12.33.7', bullmq: '6.7.0', ioredis: '5.8.2' } as const;

const folder = new URL('../../../.granary/bench-peers', import.meta.url).pathname;
const packages = join(folder, 'package.json');

/** A package of the peers, whose types the caller knows. */
export function peer(name: keyof typeof versions): unknown {
  install();
  return createRequire(packages)(name);
}

export const versionOf = (name: keyof typeof versions): string => `${name} ${versions[name]}`;

function install(): void {
  const wanted = JSON.stringify({ private: true, dependencies: versions });
  const isThere = Object.keys(versions).every((name) => existsSync(join(folder, 'node_modules', name)));
  if (isThere && readFileSync(packages, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(packages, wanted);
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  const { status, stderr } = spawnSync('npm', ['install', ...options], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The queues to compare with could not be installed:\n${stderr}`);
}
