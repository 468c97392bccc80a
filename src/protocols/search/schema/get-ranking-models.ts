import { procedure } from '../../../procedure/declare.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';

const models = { RankingModelID: uniqueidentifier, Name: nvarchar(64), RankingModelXML: nvarchar('max') };

/** MS-SQLPGAT2 only mentions it: plausible columns, and never a row. */
export const getRankingModels = procedure({
  name: 'proc_MSS_GetRankingModels',
  section: 'MS-SQLPGAT2 3.1.5.51',
  summary: 'Lists ranking models, of which Granary keeps none.',
  access: 'none',
  params: {},
  outcomes: { found: { code: 0, meaning: 'No row.', sets: { models } } },
  handle: () => ({ outcome: 'found', sets: { models: [] } }),
});
