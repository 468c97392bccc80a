import { spawn } from 'node:child_process';
import { findProgram } from './program.ts';

/** The most that an instance may take. */
interface Bounds {
  /** Bytes of address space. */
  readonly memory: number;
  /** Bytes of one file that it writes. */
  readonly fileSize: number;
}

/**
 * What is put before a command so that it has no network, ends with this process however that ends, and keeps to its
 * bounds: as far as the machine allows it. The profile forbids the network too, where this cannot.
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

/** The program with the first arguments under which it runs a command; nothing where it runs none. */
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
