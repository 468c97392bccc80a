import type { Item, Job } from '../../api/jobs.ts';
import { html, type View } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { ProgressBar } from '../parts/progress-bar.ts';
import { countOf } from '../parts/words.ts';

const jobKinds = {
  'not submitted': 'idle',
  waiting: 'warn',
  'in progress': 'ok',
  done: 'ok',
  cancelled: 'idle',
  empty: 'idle',
} as const;

const itemKinds = {
  'not submitted': 'idle',
  waiting: 'warn',
  'in progress': 'ok',
  succeeded: 'ok',
  failed: 'bad',
  cancelled: 'idle',
} as const;

/** The state of a job, in words: a finished one includes the number of failed items. */
export function JobState({ state, counts }: Pick<Job, 'state' | 'counts'>): View {
  const failed = state === 'done' ? (counts?.failed ?? 0) : 0;
  if (failed > 0) return html`<${Badge} kind="bad" text=${`done, ${countOf(failed)} failed`} />`;
  return html`<${Badge} kind=${jobKinds[state]} text=${state} />`;
}

/** The state of an item, in a word. */
export const ItemState = ({ state }: Pick<Item, 'state'>): View =>
  html`<${Badge} kind=${itemKinds[state]} text=${state} />`;

/** How far a job is: exactly where few items are open, else as it was counted last. */
export function JobProgress({ job }: { readonly job: Job }): View {
  const { items, open, counts } = job;
  const label = `Progress of job ${job.id}`;
  if (open !== null) return html`<${ProgressBar} done=${items - open} total=${items} label=${label} />`;
  if (counts === null) return html`<span class="muted">more than ${countOf(1000)} open, counting…</span>`;
  return html`<${ProgressBar} done=${counts.succeeded + counts.failed} total=${counts.total} label=${label} />`;
}
