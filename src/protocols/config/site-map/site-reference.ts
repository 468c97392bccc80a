import { identifierOrder } from '../../../base/identifier-order.ts';
import { fold } from '../../../base/text/collation.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { nullable } from '../../../procedure/param.ts';
import { bit, nvarchar, tinyint, uniqueidentifier } from '../../../tds/types/index.ts';
import { pathOrder } from './path-order.ts';
import type { Ranked } from './ranks/tree.ts';

/** What the two procedures that store a reference are given. */
export const referenceParams = {
  ApplicationId: nullable(uniqueidentifier, 'The Web application that contains the site collection.'),
  DatabaseId: nullable(uniqueidentifier, 'The content database that contains it.'),
  SiteId: nullable(uniqueidentifier, 'The site collection.'),
  SubscriptionId: nullable(uniqueidentifier, 'Its site subscription, or NULL.'),
  Path: nullable(nvarchar(128), 'Its server-relative URL, or its host header site identifier.'),
  Pairing: nullable(tinyint, '1 when it was upgraded from the previous version, else 0.'),
  RedirectUrl: nullable(nvarchar(512), 'The server-relative URL that it redirects to, or NULL.'),
  HostHeaderIsSiteName: nullable(bit, '1 when @Path is a host header site identifier, else 0.'),
};

/** A reference to a site collection, ready to be stored. */
export interface SiteReference extends Ranked {
  readonly Id: string;
  readonly SubscriptionId: string | null;
  readonly Path: string;
  readonly PathKey: string;
  readonly Pairing: number;
  readonly RedirectUrl: string | null;
  readonly HostHeaderIsSiteName: boolean;
}

interface ReferenceInput {
  readonly ApplicationId: string | null;
  readonly DatabaseId: string | null;
  readonly SiteId: string | null;
  readonly SubscriptionId: string | null;
  readonly Path: string | null;
  readonly Pairing: number | null;
  readonly RedirectUrl: string | null;
  readonly HostHeaderIsSiteName: boolean | null;
}

/**
 * The reference that a caller describes; undefined if a required value is NULL, or the pairing is neither 0 nor 1: the
 * result sets that return it MUST hold one of the two (3.1.5.71.1 to 3.1.5.74.1).
 */
export function referenceOf(input: ReferenceInput): SiteReference | undefined {
  const { ApplicationId, DatabaseId, SiteId, SubscriptionId, Path, Pairing, RedirectUrl, HostHeaderIsSiteName } = input;
  if (ApplicationId === null || DatabaseId === null || SiteId === null || Path === null) return undefined;
  if (Pairing !== null && Pairing > 1) return undefined;
  return {
    Id: SiteId,
    ApplicationId,
    DatabaseId,
    SubscriptionId,
    Path,
    PathKey: fold(Path),
    PathOrder: pathOrder(Path, SiteId),
    IdOrder: identifierOrder(SiteId),
    Pairing: Pairing ?? 0,
    RedirectUrl,
    HostHeaderIsSiteName: HostHeaderIsSiteName ?? false,
    Redirects: RedirectUrl !== null && RedirectUrl !== '',
    Upgraded: Pairing === 1,
  };
}

/** Stores a reference: live with NULL as its deletion time, else marked for deletion. */
export async function insertReference(db: Db, site: SiteReference, deletionTime: Date | null): Promise<void> {
  await db.run(sql`
    insert into site_map (id, database_id, application_id, subscription_id, path, path_key, path_order, id_order,
      pairing, redirect_url, host_header_is_site_name, redirects, upgraded, deletion_time)
    values (${site.Id}, ${site.DatabaseId}, ${site.ApplicationId}, ${site.SubscriptionId}, ${site.Path},
      ${site.PathKey}, ${site.PathOrder}, ${site.IdOrder}, ${site.Pairing}, ${site.RedirectUrl},
      ${site.HostHeaderIsSiteName}, ${site.Redirects}, ${site.Upgraded}, ${deletionTime})`);
}

const found = { Id: uniqueidentifier };

/** True when the site collection has a reference, live or hidden, in the content database. */
export async function isReferenced(db: Db, { Id, DatabaseId }: { Id: string; DatabaseId: string }): Promise<boolean> {
  const row = await db.first(
    found,
    sql`select id as "Id" from site_map where id = ${Id} and database_id = ${DatabaseId}`,
  );
  return row !== undefined;
}

/** True when the site collection has a live reference, in whatever content database. */
export async function isLive(db: Db, id: string | null): Promise<boolean> {
  const row = await db.first(found, sql`select id as "Id" from site_map where id = ${id} and deletion_time is null`);
  return row !== undefined;
}

/** True when another live site collection has the path: in the Web application, or in the farm for a host name. */
export async function isPathTaken(
  db: Db,
  site: Pick<SiteReference, 'Id' | 'ApplicationId' | 'PathKey' | 'HostHeaderIsSiteName'>,
): Promise<boolean> {
  const row = await db.first(
    found,
    site.HostHeaderIsSiteName
      ? sql`
          select id as "Id" from site_map
          where path_key = ${site.PathKey} and deletion_time is null and host_header_is_site_name = 1
            and id <> ${site.Id}`
      : sql`
          select id as "Id" from site_map
          where application_id = ${site.ApplicationId} and path_key = ${site.PathKey}
            and deletion_time is null and host_header_is_site_name = 0 and id <> ${site.Id}`,
  );
  return row !== undefined;
}
