// The script inside of the single-file executable: it lays the files that it carries into a folder of the user's, once a
// release, and runs them from there. Sources find migrations, threads and processes beside themselves, as everywhere.
'use strict';
const { lstatSync, mkdirSync, mkdtempSync, existsSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const process = require('node:process');
const { getAsset, getRawAsset } = require('node:sea');
const { zstdDecompressSync } = require('node:zlib');

/** The folder for unpacked releases; nobody else may write there, since what lies in it is run. */
function home() {
  const { GRANARY_UNPACKED, XDG_CACHE_HOME } = process.env;
  const base = GRANARY_UNPACKED || join(XDG_CACHE_HOME || cacheOfUser() || tmpdir(), `granary-${process.getuid()}`);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(base);
  if (uid !== process.getuid() || (mode & 0o022) !== 0) {
    throw new Error(
      `${base} is another user's, or others may write there. Name a folder of your own: GRANARY_UNPACKED`,
    );
  }
  return base;
}

function cacheOfUser() {
  try {
    const cache = join(homedir(), '.cache');
    mkdirSync(cache, { recursive: true });
    return cache;
  } catch {
    return undefined; // a user without a home
  }
}

/** Lays the files down under a name that tells the release; whoever comes second finds them. */
function unpack() {
  const base = home();
  const folder = join(base, getAsset('name', 'utf8'));
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(join(base, 'unpacking-'));
  const bytes = zstdDecompressSync(Buffer.from(getRawAsset('files')));
  const listLength = bytes.readUInt32LE(0);
  let at = 4 + listLength;
  for (const [path, length] of JSON.parse(bytes.toString('utf8', 4, at))) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    writeFileSync(join(fresh, path), bytes.subarray(at, at + length));
    at += length;
  }
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function run() {
  const folder = unpack();
  const load = createRequire(join(folder, 'package.json'));
  // A process that the server has started runs a script of its own, behind flags that are Node's.
  const script = process.argv.findIndex((each, place) => place >= 2 && each.startsWith(join(folder, 'dist/')));
  if (process.send !== undefined && script >= 2) {
    process.argv.splice(1, script - 1);
    load(process.argv[1]);
    return undefined;
  }
  if (process.argv[2] === 'serve') load('./bin/server-flags.js').startWithServerFlags({ isSingleFile: true });
  return load('./dist/cli/process.js').main();
}

try {
  run();
} catch (error) {
  process.stderr.write(`granary: ${error.message}\n`);
  process.exitCode = 1;
}
