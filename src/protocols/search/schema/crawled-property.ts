import { orNull } from '../../../procedure/declare.ts';
import { bit, datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';

/** The GetCrawledProperties result set (3.1.5.23.1). */
export const crawledProperty = {
  Propset: uniqueidentifier,
  PropertyName: nvarchar(440),
  PropertyNameIsEnum: orNull(bit),
  IsMappedToContent: orNull(bit),
  IsSampleCacheFull: orNull(bit),
  VariantType: int,
  CrawledPropertyId: int,
  URI: orNull(nvarchar(2048)),
  LastModified: orNull(datetime),
};
