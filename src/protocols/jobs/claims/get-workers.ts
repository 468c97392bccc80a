import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { leaseTime } from './lease.ts';
import { isPresent } from './presence.ts';

const workers = {
  Worker: uniqueidentifier,
  Name: orNull(nvarchar(256)),
  Seen: datetime,
  Until: datetime,
  Items: int,
};

export const getWorkers = procedure({
  name: 'GetWorkers',
  schema: 'granary',
  section: 'Granary',
  summary: 'Lists the workers that claim items and count as present, with the number of items that each holds.',
  access: 'read',
  params: {},
  outcomes: { done: { code: 0, meaning: 'The workers, by name.', sets: { Workers: workers } } },
  handle({ db, now }) {
    const rows = db.rows(
      workers,
      sql`
        select w.worker as "Worker", w.name as "Name", w.seen as "Seen", w.there_until as "Until",
          (select count(*) from items i where i.leased_until > ${leaseTime(now)} and i.worker = w.worker) as "Items"
        from workers w where ${isPresent(now)} order by coalesce(w.name, ''), w.worker`,
    );
    return { outcome: 'done', sets: { Workers: rows } };
  },
});
