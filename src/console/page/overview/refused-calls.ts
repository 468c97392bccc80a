import type { RouteOutput } from '../../api/declare.ts';
import type { overview } from '../../api/overview.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { hrefOf } from '../place.ts';

type Refused = RouteOutput<typeof overview>['refused'][number];

const keyOf = ({ procedure, number, message, database, login }: Refused): string =>
  JSON.stringify([procedure, number, message, database, login]);

const columns = [
  { title: 'Last', show: ({ at }: Refused) => html`<${Time} at=${at} />` },
  {
    title: 'Procedure',
    code: true,
    show: ({ procedure }: Refused) =>
      html`<a href=${hrefOf(`/wire?procedure=${encodeURIComponent(procedure)}`)}>${procedure}</a>`,
  },
  { title: 'Error', align: 'number', show: ({ number }: Refused) => number },
  { title: 'Message', show: ({ message }: Refused) => message },
  { title: 'Database', show: ({ database }: Refused) => database },
  { title: 'Login', show: ({ login }: Refused) => login },
  { title: 'Session', align: 'number', show: ({ session }: Refused) => session },
  { title: 'Times', align: 'number', show: ({ times }: Refused) => times },
];

/** The last refused calls; those refused for the same reason share a row. */
export const RefusedCalls = ({ refused }: { readonly refused: readonly Refused[] }): View =>
  refused.length === 0
    ? html`<section class="card"><${Empty} title="No refused calls">Calls that end in an error are listed here, with error number and message.<//></section>`
    : html`<${Table} caption="Last refused calls" columns=${columns} rows=${refused} keyOf=${keyOf} />`;
