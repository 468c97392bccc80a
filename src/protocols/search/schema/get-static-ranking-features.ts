import { procedure } from '../../../procedure/declare.ts';
import { float, int, nvarchar } from '../../../tds/types/index.ts';

const features = { PID: int, FeatureName: nvarchar(64), Weight: float };

/** MS-SQLPGAT2 only mentions it: plausible columns, and never a row. */
export const getStaticRankingFeatures = procedure({
  name: 'proc_MSS_GetStaticRankingFeatures',
  section: 'MS-SQLPGAT2 3.1.5.59',
  summary: 'Lists static ranking features, of which Granary keeps none.',
  access: 'none',
  params: {},
  outcomes: { found: { code: 0, meaning: 'No row.', sets: { features } } },
  handle: () => ({ outcome: 'found', sets: { features: [] } }),
});
