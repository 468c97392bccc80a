import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Milliseconds after which V8 returns what a burst of calls or logins has left; its default of 8000 is meant for web
 * pages.
 */
const restBefore = 2000;

/**
 * Returns the memory that only the start needed, about 10 MB: a server may be idle for days, and V8 collects by
 * allocation, not by time. Node offers no way to request this except the function of a flag.
 */
export function giveBackMemory(): void {
  setFlagsFromString(`--gc-memory-reducer-start-delay-ms=${restBefore}`);
  setFlagsFromString(`--memory-reducer-delay-ms=${restBefore}`);
  setFlagsFromString('--expose-gc');
  const collect: (options: object) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
