import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '3.18.1';
const folder = fileURLToPath(new URL('../../.granary/crawlee/', import.meta.url));
const script = fileURLToPath(new URL('./crawlee-crawl.mjs', import.meta.url));

/** Installs crawlee's HTTP crawler where nothing else sees it, unless it is there. */
function install(): void {
  if (existsSync(join(folder, `installed-${version}`))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, `@crawlee/http@${version}`], { cwd: folder, stdio: 'inherit' });
  writeFileSync(join(folder, `installed-${version}`), '');
}

/** Crawls a site with crawlee, in a process of its own that keeps nothing on disk; tells the pages and the milliseconds. */
export function crawlWithCrawlee(
  startAddresses: readonly string[],
  concurrency: number,
): { readonly pages: number; readonly milliseconds: number } {
  install();
  const asked = JSON.stringify({ startAddresses, concurrency, crawlee: join(folder, 'package.json') });
  const said = execFileSync(process.execPath, [script, asked], { cwd: folder, encoding: 'utf8' });
  return JSON.parse(said.trim().split('\n').at(-1) ?? '{}');
}
