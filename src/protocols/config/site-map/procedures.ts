import type { AnyProcedure } from '../../../procedure/declare.ts';
import { dropSiteMap } from './drop-site-map.ts';
import { dropSiteMap2 } from './drop-site-map2.ts';
import { getDeletedSite } from './get-deleted-site.ts';
import { getDeletedSitesByQuery } from './get-deleted-sites-by-query.ts';
import { getDeletedSitesBySiteId } from './get-deleted-sites-by-site-id.ts';
import { getDeletedSitesByUrl } from './get-deleted-sites-by-url.ts';
import { getSiteBestMatch } from './get-site-best-match.ts';
import { getSiteCount } from './get-site-count.ts';
import { getSiteIdOfHostHeaderSite } from './get-site-id-of-host-header-site.ts';
import { getSiteIds } from './get-site-ids.ts';
import { getSiteNames } from './get-site-names.ts';
import { getSiteSubscriptionSiteIdsInContentDatabase } from './get-site-subscription-site-ids-in-content-database.ts';
import { getSiteSubscriptionSiteIdsInWebApplication } from './get-site-subscription-site-ids-in-web-application.ts';
import { getSiteSubscriptionsInContentDb } from './get-site-subscriptions-in-content-db.ts';
import { getSiteSubscriptionsInWebApplication } from './get-site-subscriptions-in-web-application.ts';
import { getSiteSubset } from './get-site-subset.ts';
import { getSubscriptionIds } from './get-subscription-ids.ts';
import { hideSiteMap } from './hide-site-map.ts';
import { putDeletedSiteMap } from './put-deleted-site-map.ts';
import { putSiteMap } from './put-site-map.ts';
import { renameSiteMap } from './rename-site-map.ts';
import { setSubscription } from './set-subscription.ts';
import { siteExists } from './site-exists.ts';
import { unhideSiteMap } from './unhide-site-map.ts';

/** The site map: references to site collections, live and marked for deletion, and their subscriptions. */
export const siteMapProcedures: readonly AnyProcedure[] = [
  dropSiteMap,
  dropSiteMap2,
  getDeletedSite,
  getDeletedSitesByQuery,
  getDeletedSitesBySiteId,
  getDeletedSitesByUrl,
  getSiteBestMatch,
  getSiteCount,
  getSiteIdOfHostHeaderSite,
  getSiteIds,
  getSiteNames,
  getSiteSubscriptionSiteIdsInContentDatabase,
  getSiteSubscriptionSiteIdsInWebApplication,
  getSiteSubscriptionsInContentDb,
  getSiteSubscriptionsInWebApplication,
  getSiteSubset,
  getSubscriptionIds,
  hideSiteMap,
  putDeletedSiteMap,
  putSiteMap,
  renameSiteMap,
  setSubscription,
  siteExists,
  unhideSiteMap,
];
