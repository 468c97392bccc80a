const nullFindsNothing =
  'The text lays "must not be NULL" on the client and names no answer to it: a NULL in a search finds nothing.';
const nullIsRefused =
  'A value that the record needs is missing: the code or set for "not stored" says so, not an error.';

/** Where a declaration differs from the specification's signature on purpose: the difference, and why. */
export const deliberate: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'MS-TSSPROC': {},
  'MS-WORDSSP': {},
  'MS-WORDSSP2': {},
  'MS-WSSCFGD2': {
    'proc_getSiteBestMatch @PathSearch never NULL: false instead of true': nullFindsNothing,
    'proc_getSiteIds @SubscriptionId never NULL: false instead of true': nullFindsNothing,
    'proc_getSiteSubscriptionSiteIdsInContentDatabase @ContentDatabaseId never NULL: false instead of true':
      nullFindsNothing,
    'proc_getSiteSubscriptionSiteIdsInContentDatabase @SubscriptionId never NULL: false instead of true':
      nullFindsNothing,
    'proc_getSiteSubscriptionSiteIdsInWebApplication @WebApplicationId never NULL: false instead of true':
      nullFindsNothing,
    'proc_getSiteSubscriptionSiteIdsInWebApplication @SubscriptionId never NULL: false instead of true':
      nullFindsNothing,
    'proc_getDeletedSitesByUrl @Path never NULL: false instead of true': nullFindsNothing,
    'proc_putSiteMap @Path never NULL: false instead of true': nullIsRefused,
    'proc_putDeletedSiteMap @Path never NULL: false instead of true': nullIsRefused,
    'proc_ScheduleTimerJob @ServiceId never NULL: false instead of true': nullIsRefused,
  },
};
