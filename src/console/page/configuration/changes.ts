import { listChanges } from '../../api/configuration.ts';
import type { RouteOutput } from '../../api/declare.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { hrefOf } from '../place.ts';
import type { PartProps } from './part-props.ts';

type Change = RouteOutput<typeof listChanges>['changes'][number];

/** What was stored or removed lately. */
export function Changes({ place, base, database }: PartProps): View {
  const { before } = place.query;
  const { data, error, loading } = useLive(listChanges, { database, before });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  if (data.changes.length === 0)
    return html`<${Empty} title="No changes yet">A farm stores objects with <code>proc_putObject</code>.<//>`;
  const columns = [
    { title: 'When', show: ({ stored }: Change) => html`<${Time} at=${stored} />` },
    {
      title: 'What',
      show: ({ removed }: Change) =>
        html`<${Badge} kind=${removed ? 'bad' : 'ok'} text=${removed ? 'removed' : 'stored'} />`,
    },
    {
      title: 'Object',
      show: ({ id, name, removed }: Change) =>
        removed
          ? html`<span class="code">${id}</span>`
          : html`<a class="name" href=${hrefOf(`${base}/objects/${id}`)}>${name || '(no name)'}</a>`,
    },
    { title: 'Class', show: (change: Change) => change.class?.split(',', 1)[0] ?? '' },
    { title: 'Version', align: 'number', show: ({ version }: Change) => version },
  ];
  return html`<${Pending} error=${error} loading=${loading} />
    <${Table} caption="Changes" columns=${columns} rows=${data.changes} keyOf=${({ version }: Change) => version} />
    <${Pager} label="Pages of changes" first=${before === undefined ? undefined : { before: undefined }}
      next=${data.next === null ? undefined : { before: data.next }} />`;
}
