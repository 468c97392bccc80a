import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { procedure } from '../../../procedure/declare.ts';
import { output, required } from '../../../procedure/param.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

export const getHost = procedure({
  name: 'proc_MSS_GetHost',
  section: 'MS-SQLPGAT2 3.1.5.38',
  summary: 'Returns the crawl store and the identifier of a host; a new host is assigned both.',
  access: 'serial',
  params: {
    HostName: required(nvarchar(300), 'The name of the host.'),
    GthrDBID: output(int, 'The ordinal of its crawl store.'),
    HostID: output(int, 'Its identifier.'),
  },
  outcomes: done,
  async known(call, { HostName }) {
    const found = await knownHost(call, fold(HostName));
    return found && { outcome: 'done', output: { GthrDBID: found.store, HostID: found.id } };
  },
  async handle(call, { HostName }) {
    const name = fold(HostName);
    const { store, id } = (await knownHost(call, name)) ?? (await newHost(call, name));
    return { outcome: 'done', output: { GthrDBID: store, HostID: id } };
  },
});

interface Host {
  readonly id: number;
  readonly store: number;
}

const host = { id: int, store: int };

function knownHost({ db }: Call, name: string): Promise<Host | undefined> {
  return db.first(host, sql`select id as "id", crawl_store as "store" from hosts where name = ${name}`);
}

/**
 * A new host goes to the crawl store with the fewest documents; of those with as few, the first that has the fewest
 * hosts.
 */
async function newHost({ db }: Call, name: string): Promise<Host> {
  const made = await db.first(
    host,
    sql`
      insert into hosts (id, name, crawl_store)
      select (select coalesce(max(id), 0) + 1 from hosts), ${name}, s.ordinal from crawl_stores s
      order by s.doc_count, (select count(*) from hosts h where h.crawl_store = s.ordinal), s.ordinal limit 1
      returning id as "id", crawl_store as "store"`,
  );
  if (made === undefined) throw ruleBroken('The crawl topology is not active: there is no crawl store for a host.');
  return made;
}
