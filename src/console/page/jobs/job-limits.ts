import { showLimits, type Used } from '../../api/jobs.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Empty } from '../parts/empty.ts';
import { Pending } from '../parts/pending.ts';
import { ProgressBar } from '../parts/progress-bar.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { counted, countOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';

const noPartition = '00000000-0000-0000-0000-000000000000';

/** Items of the last 24 hours against the daily limits, and when they count no more. */
export function JobLimits({ base, database }: { readonly base: string; readonly database: string }): View {
  const { data, error, loading } = useLive(showLimits, { database });
  return html`
    <div class="head"><h2>Daily limits</h2><a href=${hrefOf(base)}>Back to jobs</a></div>
    <${Pending} error=${error} loading=${loading} />
    ${data && !data.counted && html`<${Empty} title="No daily limits">Only the translation service limits items per day.<//>`}
    ${
      data?.counted &&
      html`<${Table} caption="Daily limits" columns=${columns} rows=${[data.all, ...data.partitions]}
        keyOf=${({ partition }: Used) => partition ?? 'all'} />
      <p class="muted small">An item counts for 24 hours from the hour it was added in. The limits are those of the latest call to${' '}
        <code>proc_AddJob</code>.</p>`
    }`;
}

function nameOf({ partition }: Used): string {
  if (partition === null) return 'all partitions';
  return partition === noPartition ? 'no partition' : partition;
}

const columns = [
  { title: 'Partition', code: true, show: nameOf },
  { title: 'Used', align: 'number', show: ({ used }: Used) => countOf(used) },
  {
    title: 'Share',
    show: (row: Used) =>
      row.limit === null
        ? ''
        : html`<${ProgressBar} done=${Math.min(row.used, row.limit)} total=${row.limit} label=${`Used by ${nameOf(row)}`} />`,
  },
  { title: 'Limit', align: 'number', show: ({ limit }: Used) => (limit === null ? 'not set' : countOf(limit)) },
  { title: 'Left', align: 'number', show: ({ left }: Used) => (left === null ? '' : countOf(left)) },
  {
    title: 'Next reset',
    show: ({ resets: [next] }: Used) =>
      next === undefined ? '' : html`${counted(next.items, 'item')} at <${Time} at=${next.at} />`,
  },
];
