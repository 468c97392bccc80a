import { procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { date, int, uniqueidentifier } from '../../tds/types/index.ts';
import { hourNamed, itemsInTheDayTo, mostItems, noPartition } from './item-counts.ts';

export const getItemCount = procedure({
  name: 'proc_GetItemCount',
  section: 'MS-TSSPROC 3.1.5.8',
  summary: 'Returns how many items were added in 24 hours, in one partition or in all.',
  access: 'read',
  params: {
    PartitionId: required(uniqueidentifier, 'The partition; all zeros means all partitions.'),
    Hour: required(int, 'The current hour of the day in UTC, 0 to 23.'),
    Date: required(date, 'The current date in UTC.'),
  },
  outcomes: { counted: { code: int, meaning: 'The number of items.' } },
  async handle({ db }, { PartitionId, Hour, Date: day }) {
    const among = PartitionId === noPartition ? null : PartitionId;
    const items = await itemsInTheDayTo(db, hourNamed(day, Hour), among);
    return { outcome: 'counted', returns: Math.min(Number(items), mostItems) };
  },
});
