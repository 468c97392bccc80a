/** The functions that make one value of many rows. */
export const aggregateNames: ReadonlySet<string> = new Set([
  'COUNT',
  'COUNT_BIG',
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'STDEV',
  'STDEVP',
  'VAR',
  'VARP',
  'STRING_AGG',
  'CHECKSUM_AGG',
]);
