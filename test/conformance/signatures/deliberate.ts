const nullFindsNothing =
  'The text lays "must not be NULL" on the client and names no answer to it: a NULL in a search finds nothing.';
const nullIsRefused =
  'A value that the record needs is missing: the code or set for "not stored" says so, not an error.';

const failsByError = 'The text wants an error where the call fails, and an error comes without a return code.';
const isOnlyNamed = 'Another document defines the result set: an empty one of plausible columns answers.';
const keyIsNeeded = 'A record without this cannot be kept: NULL is an error.';

/** Where a declaration differs from the specification's signature on purpose: the difference, and why. */
export const deliberate: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'MS-SQLPGAT2': {
    'proc_MSS_GetNextCrawlBatch return codes: [1] instead of [0,1]': failsByError,
    'proc_MSS_GetScopeRulesForCompilation [MS-SQLPADM2] 2.2.4.5 columns: ["ScopeID int","FilterBehavior smallint","RuleType smallint","UrlRuleType smallint","PropertyID int","UserValueString nvarchar(2048)"] instead of []':
      'Another document defines the columns: these are those of the set.',
    'proc_MSS_AddAndReturnCrawledProperty @PropertyName never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_AddAndReturnCrawledProperty @Propset never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_AddAndReturnCrawledProperty @VariantType never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_AddCrawledPropertyCategoryWithDefaults @Propset never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_CreateNewComponentRecord @ComponentName never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_CreateNewComponentRecord @ComponentType never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_CreateNewComponentRecord @ProjectName never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_PushSD @sd never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_PushSD @sdCheckSum never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_PushSD @type never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_SetCrawlComponentStatus @ComponentID never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_SetCrawlComponentStatus @ModifiedByComponentID never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_SetCrawlComponentStatus @Status never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_SetCrawledPropertyIsSampleCacheFull @IsSampleCacheFull never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_GetRankingModels result sets of found: 1 instead of 0': isOnlyNamed,
    'proc_MSS_GetRankingModels result sets: 1 instead of 0': isOnlyNamed,
    'proc_MSS_GetStaticRankingFeatures result sets of found: 1 instead of 0': isOnlyNamed,
    'proc_MSS_GetStaticRankingFeatures result sets: 1 instead of 0': isOnlyNamed,
    'proc_MSS_SetAnnotationsPendingStatus @Status never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_SetConfigPropertyWithTransaction @Name never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_SetConfigPropertyWithTransaction @TransactionID never NULL: true instead of false': keyIsNeeded,
    'proc_MSS_SetConfigurationProperty @Name never NULL: true instead of false': keyIsNeeded,
  },
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
