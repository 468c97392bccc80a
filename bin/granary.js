#!/usr/bin/env node
// Plain JavaScript that Node 20 understands: it finds a Node that runs the rest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { compileCache, warmCompileCache } from './compile-cache.js';
import { serverFlags, startWithServerFlags } from './server-flags.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major] = process.versions.node.split('.').map(Number);

const serves = process.argv[2] === 'serve';

/** The package has JavaScript; a clone has TypeScript, which Node runs as it is. */
const isPackage = existsSync(join(root, 'dist'));

if (!isPackage && !existsSync(join(root, 'node_modules'))) {
  // Standard output belongs to the command.
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.js')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

if (isPackage) {
  await runPackage();
} else if (major >= 24) {
  const { enableCompileCache } = await import('node:module');
  if (serves) {
    warmCompileCache();
    startWithServerFlags();
  }
  enableCompileCache(compileCache);
  const { main } = await import('../src/cli/process.ts');
  await main();
} else {
  runOnPinnedNode();
}

async function runPackage() {
  if (major < 22) {
    process.stderr.write(`granary: Node 22.16 or newer is needed; this is ${process.version}.\n`);
    process.exit(1);
  }
  if (major < 24) {
    // Node 22 warns in every thread that its SQLite may change, which is nothing an operator can act on.
    const quiet = '--disable-warning=ExperimentalWarning';
    if (!process.execArgv.includes(quiet)) return runOn(process.execPath, [quiet]);
    await import('./node-22.js');
  }
  if (serves) startWithServerFlags();
  const { main } = await import('../dist/cli/process.js');
  await main();
}

/** Runs this file again on the Node that package.json pins. */
function runOnPinnedNode() {
  const node = join(root, 'node_modules/.bin/node');
  if (!existsSync(node)) {
    process.stderr.write(
      `granary: Node 24 or newer is needed; this is ${process.version}. Run npm install in ${root}.\n`,
    );
    process.exit(1);
  }
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'));
  runOn(node, [], version);
}

/** Runs this file again on another Node; signals go there, its end is ours. */
function runOn(node, flags, version) {
  // The channel tells the child when this process is gone, even when it was killed. It would not outlast a second start
  // of the child, which therefore has its flags from here.
  const own = serves ? serverFlags(version) : { flags: [], environment: process.env };
  const child = spawn(node, [...own.flags, ...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: own.environment,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`granary: ${node} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
