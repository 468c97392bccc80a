import type { RouteOutput } from '../../api/declare.ts';
import type { overview } from '../../api/overview.ts';
import { html, type View } from '../html.ts';
import { Empty } from '../parts/empty.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { hrefOf } from '../place.ts';

type Refused = RouteOutput<typeof overview>['refused'][number];

/** Calls that were refused alike: the last of them, and how many they were. */
type Alike = Refused & { readonly times: number };

const keyOf = ({ procedure, number, message, database, login }: Refused): string =>
  JSON.stringify([procedure, number, message, database, login]);

/** A client that tries again and again would fill the list, and hide what else was refused. */
function gathered(refused: readonly Refused[]): readonly Alike[] {
  const alike = Map.groupBy(refused, keyOf);
  // The last come first, of all calls and so of those that are alike.
  return [...alike.values()].flatMap((calls) => calls.slice(0, 1).map((last) => ({ ...last, times: calls.length })));
}

const columns = [
  { title: 'Last', show: ({ at }: Alike) => html`<${Time} at=${at} />` },
  {
    title: 'Procedure',
    code: true,
    show: ({ procedure }: Alike) =>
      html`<a href=${hrefOf(`/wire?procedure=${encodeURIComponent(procedure)}`)}>${procedure}</a>`,
  },
  { title: 'Error', align: 'number', show: ({ number }: Alike) => number },
  { title: 'Message', show: ({ message }: Alike) => message },
  { title: 'Database', show: ({ database }: Alike) => database },
  { title: 'Login', show: ({ login }: Alike) => login },
  { title: 'Session', align: 'number', show: ({ session }: Alike) => session },
  { title: 'Times', align: 'number', show: ({ times }: Alike) => times },
];

/** The last refused calls, those that were refused alike in one row. */
export const RefusedCalls = ({ refused }: { readonly refused: readonly Refused[] }): View =>
  refused.length === 0
    ? html`<section class="card"><${Empty} title="No refused calls">Calls that end in an error are listed here, with error number and message.<//></section>`
    : html`<${Table} caption="Last refused calls" columns=${columns} rows=${gathered(refused)} keyOf=${keyOf} />`;
