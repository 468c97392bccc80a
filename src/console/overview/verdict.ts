import type { WaitEntry } from '../../procedure/server-view.ts';
import { inSentence } from '../api/in-sentence.ts';
import type { Point } from './history.ts';

/** How the server is doing, in words. */
interface Verdict {
  readonly level: 'ok' | 'warn' | 'bad';
  readonly verdict: string;
  /** What is wrong, or worth a look. */
  readonly wrong: readonly string[];
}

/** Milliseconds after which a wait for a lock is mentioned. */
const patience = 5_000;

/** Calls that may wait for their turn to write. */
const longQueue = 1000;

const plural = (count: number, one: string): string => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** The overall state: failed checks first, then long waits, then failures; what is stuck is shown separately. */
export function verdictOf(
  checks: readonly string[],
  waits: readonly WaitEntry[],
  last: Point | undefined,
  now: number,
  standsStill = false,
): Verdict {
  const stuck = waits.filter(({ since }) => now - since.getTime() > patience);
  const worth = [
    ...stuck.slice(0, 5).map(({ spid, blockedBy, since, resource }) => {
      const seconds = Math.round((now - since.getTime()) / 1000);
      return `Session ${spid} has been waiting for session ${blockedBy} for ${plural(seconds, 'second')} (${inSentence(resource)}). To let it go on, end session ${blockedBy}.`;
    }),
    ...(last !== undefined && last.calls > 1 && last.errors > last.calls / 10
      ? [`More than one call in ten fails: ${last.errors} of ${last.calls} per second.`]
      : []),
    ...(last !== undefined && last.queue > longQueue ? [`${plural(last.queue, 'call')} are queued to write.`] : []),
  ];
  if (checks.length > 0) return { level: 'bad', verdict: 'Something is wrong.', wrong: [...checks, ...worth] };
  if (worth.length > 0 || standsStill) {
    return { level: 'warn', verdict: 'Clients are served, but something needs attention.', wrong: worth };
  }
  return { level: 'ok', verdict: 'All is well.', wrong: [] };
}
