import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** How an instance is started, and where its files are. */
export interface LaunchOptions {
  readonly program: string;
  /** The command prefix. */
  readonly confinement: readonly string[];
  /** Its own folder, which must exist. */
  readonly folder: string;
}

/** Milliseconds between two checks whether a starting instance has created its socket. */
const look = 10;
/** Folders in which LibreOffice may create its socket. */
const socketFolders = ['/tmp', '/var/tmp', process.env['XDG_RUNTIME_DIR']].filter((each) => each !== undefined);

/** Starts a headless LibreOffice; it listens on a socket of this name to which only its user can connect. */
export function launch({ program, confinement, folder }: LaunchOptions, name: string): ChildProcess {
  const [first = program, ...rest] = [...confinement, program];
  const args = [
    '--headless',
    '--invisible',
    '--nologo',
    '--nodefault',
    '--norestore',
    '--nofirststartwizard',
    `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
    `--accept=pipe,name=${name};urp;`,
  ];
  return spawn(first, [...rest, ...args], {
    cwd: folder,
    stdio: 'ignore',
    // A process group of its own: child processes end with it.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      SAL_USE_VCLPLUGIN: 'svp',
    },
  });
}

/** Connects to an instance as soon as it listens; rejects if it exits first, or with the signal's reason. */
export async function connected(name: string, child: ChildProcess, signal: AbortSignal): Promise<Socket> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  for (;;) {
    for (const path of socketPaths(name)) {
      const socket = connect(path);
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (isOpen) return socket;
    }
    if (failure !== undefined) throw failure;
    if (hasEnded(child)) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
    await delay(look, undefined, { signal });
  }
}

/** Removes the socket of an instance that could not do so itself. */
export async function removeSocket(name: string): Promise<void> {
  for (const path of socketPaths(name)) await rm(path, { force: true });
}

/** Kills an instance and all its child processes. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || hasEnded(child)) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has just exited.
  }
}

/** Resolves when the process has ended. */
export async function exited(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && !hasEnded(child)) await once(child, 'exit');
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const socketPaths = (name: string): string[] =>
  socketFolders.map((folder) => join(folder, `OSL_PIPE_${process.getuid?.() ?? 0}_${name}`));
