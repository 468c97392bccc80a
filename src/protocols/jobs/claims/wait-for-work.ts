import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { procedure } from '../../../procedure/declare.ts';
import { optional } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { ownParam } from './params.ts';
import { ownWork, work } from './work.ts';

const longest = 60_000;

export const waitForWork = procedure({
  name: 'WaitForWork',
  schema: 'granary',
  section: 'Granary',
  summary: 'Waits until there is an item to claim; not inside a transaction.',
  access: 'none',
  params: { Milliseconds: optional(int, 30_000, `The longest wait: 0 to ${longest}.`), ...ownParam },
  outcomes: {
    there: { code: 0, meaning: 'There is an item to claim.' },
    none: { code: 1, meaning: 'The time is over, or the server stops, and there is none.' },
  },
  prepare(call, { Milliseconds, Own }) {
    const most = Milliseconds ?? 30_000;
    if (most < 0 || most > longest) throw ruleBroken(`@Milliseconds is ${most}; a wait takes 0 to ${longest}.`);
    return call.until(Own === true ? ownWork : work, most);
  },
  handle: (_call, _input, isThere: boolean) => ({ outcome: isThere ? 'there' : 'none' }),
});
