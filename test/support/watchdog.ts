import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Runs a line of shell over a folder (`$0`) when this process is gone, however it went: its end closes the pipe that the
 * watchdog reads, even after kill -9. Who cleans up in time kills the watchdog.
 */
export function startWatchdog(script: string, folder: string): ChildProcess {
  const args = ['-c', `cat > /dev/null; ${script}`, folder];
  const watchdog = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watchdog.unref();
  // The pipe must not keep this process alive either; a socket of a child's stdin can be unref'd.
  if (watchdog.stdin !== null && 'unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') {
    watchdog.stdin.unref();
  }
  return watchdog;
}
