import { sqlError } from '../../base/messages/sql-error.ts';
import { procedure } from '../../procedure/declare.ts';
import { nullable, required } from '../../procedure/param.ts';
import { date, int, uniqueidentifier } from '../../tds/types/index.ts';
import { countItems, hourNamed, refuseNegative } from './item-counts.ts';

export const updateItemCount = procedure({
  name: 'proc_UpdateItemCount',
  section: 'MS-TSSPROC 3.1.5.17',
  summary: 'Increases the number of items added to a partition in an hour.',
  access: 'write',
  params: {
    PartitionId: nullable(uniqueidentifier, 'The partition; all zeros are the jobs without one. NULL is refused.'),
    Hour: required(int, 'The current hour of the day in UTC, 0 to 23.'),
    Date: required(date, 'The current date in UTC.'),
    ItemCount: required(int, 'How many items will be added.'),
  },
  outcomes: { done: { code: 0, meaning: 'Clients ignore the code.' } },
  async handle({ db }, { PartitionId, Hour, Date: day, ItemCount }) {
    if (PartitionId === null) throw sqlError(515, 'PartitionId', 'dbo.ItemCounts', 'INSERT');
    refuseNegative(ItemCount);
    await countItems(db, hourNamed(day, Hour), PartitionId, ItemCount);
    return { outcome: 'done' };
  },
});
