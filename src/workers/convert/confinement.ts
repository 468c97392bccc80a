import { spawn } from 'node:child_process';
import { findProgram } from './program.ts';

/** Resource limits of an instance. */
interface Bounds {
  /** Bytes of address space. */
  readonly memory: number;
  /** Bytes of one file that it writes. */
  readonly fileSize: number;
}

/**
 * The command prefix that removes network access, ties the process to this one's life and enforces the limits, as far
 * as the machine allows it. The profile forbids network access too, in case this cannot.
 */
export async function confinement({ memory, fileSize }: Bounds): Promise<readonly string[]> {
  const limits = `ulimit -v ${Math.floor(memory / 1024)}; ulimit -f ${Math.floor(fileSize / 512)}; ulimit -c 0; exec "$@"`;
  const unshare = await findProgram('unshare');
  const setpriv = await findProgram('setpriv');
  const ways = [['--net'], ['--user', '--map-current-user', '--net'], ['--user', '--map-root-user', '--net']];
  const withoutNetwork = await firstThatWorks(unshare, ways);
  const dying = await firstThatWorks(setpriv, [['--pdeathsig', 'KILL']]);
  return ['/bin/sh', '-c', limits, 'sh', ...withoutNetwork, ...dying];
}

/** The program with the arguments under which it runs a command; empty if it cannot be used. */
async function firstThatWorks(program: string | undefined, ways: readonly string[][]): Promise<string[]> {
  for (const args of program === undefined ? [] : ways) {
    if (program !== undefined && (await succeeds(program, [...args, 'true']))) return [program, ...args];
  }
  return [];
}

function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, args, { stdio: 'ignore' });
  child.once('error', () => resolve(false));
  child.once('exit', (code) => resolve(code === 0));
  return promise;
}
