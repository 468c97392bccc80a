import { listFiles } from '../../api/configuration.ts';
import type { RouteOutput } from '../../api/declare.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { sizeOf } from '../parts/figures.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { hrefOf } from '../place.ts';
import { fileAddress } from './object-detail.ts';
import type { PartProps } from './part-props.ts';

type File = RouteOutput<typeof listFiles>['files'][number];

/** The files that are stored with objects. */
export function Files({ place, base, database }: PartProps): View {
  const { after } = place.query;
  const { data, error, loading } = useApi(listFiles, { database, after });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  if (data.files.length === 0) {
    return html`<${Empty} title="No files">A farm stores files with <code>proc_putFileSegment</code>.<//>`;
  }
  const columns = [
    {
      title: 'Object',
      show: ({ id, name }: File) => html`<a href=${hrefOf(`${base}/objects/${id}`)}>${name || id}</a>`,
    },
    { title: 'Size', align: 'number', show: ({ length }: File) => sizeOf(length) },
    {
      title: 'File',
      show: ({ id, name }: File) =>
        html`<a download href=${fileAddress(database, id)} aria-label=${`Download the file of ${name || id}`}>Download</a>`,
    },
  ];
  return html`<${Table} caption="Files" columns=${columns} rows=${data.files} keyOf=${({ id }: File) => id} />
    <${Pager} label="Pages of files" first=${after === undefined ? undefined : { after: undefined }}
      next=${data.next === null ? undefined : { after: data.next }} />`;
}
