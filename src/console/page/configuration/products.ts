import { listProducts } from '../../api/configuration.ts';
import type { RouteOutput } from '../../api/declare.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import type { PartProps } from './part-props.ts';

type Product = RouteOutput<typeof listProducts>['products'][number];

const columns = [
  { title: 'Server', show: ({ server }: Product) => server.name || server.id },
  { title: 'Product', show: ({ product }: Product) => product },
  { title: 'Version', code: true, show: ({ version }: Product) => version },
  { title: 'Unit', show: ({ unit }: Product) => unit ?? '' },
  { title: 'Patch', show: ({ patch }: Product) => patch ?? '' },
];

/** What is installed where. */
export function Products({ database }: PartProps): View {
  const { data, error, loading } = useApi(listProducts, { database });
  if (data === undefined) return html`<${Pending} error=${error} loading=${loading} />`;
  if (data.products.length === 0) {
    return html`<${Empty} title="No products registered">Servers register their products with <code>proc_RegisterProductVersion</code>.<//>`;
  }
  const keyOf = (row: Product) => JSON.stringify(row);
  return html`<${Table} caption="Products" columns=${columns} rows=${data.products} keyOf=${keyOf} />`;
}
