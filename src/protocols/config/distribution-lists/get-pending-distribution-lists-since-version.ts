import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bigint, nvarchar, rowversion, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const permissionLevel = { SiteId: uniqueidentifier, WebId: uniqueidentifier, GroupName: nvarchar(255) };
const pending = { ...permissionLevel, Version: bigint };

export const getPendingDistributionListsSinceVersion = procedure({
  name: 'proc_getPendingDistributionListsSinceVersion',
  section: 'MS-WSSCFGD2 3.1.5.26',
  summary: 'Lists the distribution lists whose pending operation was recorded after a row version.',
  access: 'read',
  params: {
    Version: nullable(rowversion, 'The version above which entries are returned; 0 for all.'),
    RequestGuid,
  },
  outcomes: {
    done: {
      code: 0,
      meaning: 'A row for each entry above @Version.',
      // The specification gives the version no name.
      sets: { PendingDistributionLists: { ...permissionLevel, '': bigint } },
    },
  },
  handle({ db }, { Version }) {
    return {
      outcome: 'done',
      sets: { PendingDistributionLists: Version === null ? [] : pendingAfter(db, Version) },
    };
  },
});

/** A row version is unsigned; what the counter hands out stays below this. */
const highestBigint = 2n ** 63n - 1n;

async function* pendingAfter(db: Db, version: bigint) {
  const rows = db.rows(
    pending,
    sql`
      select site_id as "SiteId", web_id as "WebId", group_name as "GroupName", version as "Version"
      from pending_distribution_lists
      where version > ${version > highestBigint ? highestBigint : version} order by version`,
  );
  for await (const { Version, ...level } of rows) yield { ...level, '': Version };
}
