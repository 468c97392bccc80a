import { type Sql, sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { bit, datetime, nvarchar, tinyint, uniqueidentifier } from '../../../tds/types/index.ts';
import { prefixRange } from './path-order.ts';

/** A reference that is marked for deletion, as three of the four queries return it. */
export const deletedSites = {
  Id: uniqueidentifier,
  SubscriptionId: orNull(uniqueidentifier),
  DatabaseId: uniqueidentifier,
  DeletionTime: datetime,
  Path: nvarchar(128),
  HostHeaderIsSiteName: bit,
  Pairing: tinyint,
};

/** Selects references that are marked for deletion under a condition, those that were marked last first. */
export function selectDeleted(condition: Sql, rows: number): Sql {
  return sql`
    select id as "Id", subscription_id as "SubscriptionId", database_id as "DatabaseId",
      deletion_time as "DeletionTime", path as "Path", host_header_is_site_name as "HostHeaderIsSiteName",
      pairing as "Pairing"
    from site_map
    where deletion_time is not null and ${condition}
    order by deletion_time desc, id_order
    limit ${rows}`;
}

/** True of the rows of `site_map` whose path begins with some text, without regard to case. */
export function pathBegins(prefix: string): Sql {
  const { from, to } = prefixRange(prefix).key;
  return sql`path_key >= ${from} and path_key < ${to}`;
}
