import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { output, required } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { number } from './values.ts';

/** How far ahead time slots are assigned, in milliseconds: a caller that needs more has to ask again. */
const furthest = 24 * 3_600_000;

export const takeHostTurns = procedure({
  name: 'TakeHostTurns',
  schema: 'granary',
  section: 'Granary',
  summary: 'Assigns time slots for requests to a host, an interval apart from each other and from earlier ones.',
  access: 'write',
  params: {
    HostID: required(int, 'The host.'),
    Turns: required(int, 'How many turns.'),
    Interval: required(int, 'Milliseconds between two turns.'),
    Wait: output(int, 'Milliseconds until the first of them.'),
  },
  outcomes: done,
  async handle({ db, now }, { HostID, Turns, Interval }) {
    if (Turns < 1 || Interval < 0 || Turns * Interval > furthest) {
      throw ruleBroken(
        'There must be at least one turn, the interval must be 0 or more milliseconds, and all turns must be within a day.',
      );
    }
    const [present, taken] = [now.getTime(), Turns * Interval];
    const row = await db.first(
      { next: number },
      sql`
        insert into host_turns (host_id, next_time) values (${HostID}, ${present + taken})
        on conflict (host_id) do update set next_time =
          case when host_turns.next_time > ${present} then host_turns.next_time else ${present} end + ${taken}
        returning next_time as "next"`,
    );
    const wait = (row?.next ?? 0) - taken - present;
    if (wait > furthest) throw ruleBroken(`The turns of host ${HostID} are taken for a day.`);
    return { outcome: 'done', output: { Wait: Math.max(0, wait) } };
  },
});
