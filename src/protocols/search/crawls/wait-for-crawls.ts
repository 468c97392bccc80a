import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import type { Awaited } from '../../../procedure/arrivals.ts';
import { procedure } from '../../../procedure/declare.ts';
import { optional } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { isOngoing } from './crawl-status.ts';

const usual = 30_000;
const longest = 60_000;

const ongoing: Awaited = () => sql`select 1 as "One" from crawls where ${isOngoing} limit 1`;

/** For an idle master and idle components: otherwise they would poll for crawls some ten times a second. */
export const waitForCrawls = procedure({
  name: 'WaitForCrawls',
  schema: 'granary',
  section: 'Granary',
  summary: 'Waits until a crawl is requested or in progress; not inside a transaction.',
  access: 'none',
  params: { Milliseconds: optional(int, usual, `The longest wait: 0 to ${longest}.`) },
  outcomes: {
    there: { code: 0, meaning: 'There is one.' },
    none: { code: 1, meaning: 'The time is over, or the server stops, and there is none.' },
  },
  prepare(call, { Milliseconds }) {
    const most = Milliseconds ?? usual;
    if (most < 0 || most > longest) throw ruleBroken(`@Milliseconds is ${most}; a wait takes 0 to ${longest}.`);
    return call.until(ongoing, most);
  },
  handle: (_call, _input, isThere: boolean) => ({ outcome: isThere ? 'there' : 'none' }),
});
