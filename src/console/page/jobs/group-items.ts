import { useState } from 'preact/hooks';
import { type Item, itemStates, listItems, tryJobAgain } from '../../api/jobs.ts';
import { call } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import { Confirm } from '../parts/confirm.ts';
import { Empty } from '../parts/empty.ts';
import { Choice } from '../parts/field.ts';
import { Notice } from '../parts/notice.ts';
import { Pager } from '../parts/pager.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time, Told } from '../parts/time.ts';
import { countOf } from '../parts/words.ts';
import { hrefOf, numberOf, type Place } from '../place.ts';
import { ItemState } from './job-state.ts';

interface GroupItemsProps {
  readonly place: Place;
  readonly base: string;
  readonly database: string;
  readonly job: string;
  readonly group: number;
  readonly mayAct: boolean;
}

const stateOptions = [['', 'any'], ...itemStates.map((state) => [state, state] as const)] as const;

/** Items of a group, a page at a time by their key; why those wait that do. */
export function GroupItems({ place, base, database, job, group, mayAct }: GroupItemsProps): View {
  const state = itemStates.find((each) => each === place.query['state']);
  const [after, before] = [numberOf(place.query['after']), numberOf(place.query['before'])];
  const { data, error, loading, reload } = useLive(listItems, { database, job, group, state, after, before });
  const [done, setDone] = useState('');
  const again = (item: number) => async () => {
    const { items } = await call(tryJobAgain, { database, job, group, item });
    setDone(items === 0 ? `Item ${item} is no longer failed.` : `Item ${item} is waiting again.`);
    reload();
  };
  const columns = [...shown, ...(mayAct && data?.isCancelled === false ? [actionColumn(again)] : [])];
  return html`
    <p class="crumbs"><a href=${hrefOf(base)}>${database}</a> / <a href=${hrefOf(`${base}/${job}`)}>Job ${job}</a></p>
    <h1>Group ${group} of job ${job}</h1>
    <div class="filters" role="search" aria-label="Filter items">
      <${Choice} label="State" value=${state ?? ''} options=${stateOptions}
        onChange=${(value: string) => place.setQuery({ state: value, after: undefined, before: undefined })} />
    </div>
    ${done !== '' && html`<${Notice} kind="ok" text=${done} />`}
    <${Pending} error=${error} loading=${loading} />
    ${
      data &&
      (data.items.length === 0
        ? html`<${Empty} title=${state === undefined ? 'No items here' : `No ${state} items here`}>
            Back to <a href=${hrefOf(`${base}/${job}/groups/${group}`)}>the first items</a>.<//>`
        : html`<${Table} caption="Items" columns=${columns} rows=${data.items} keyOf=${({ id }: Item) => id} />`)
    }
    ${
      data &&
      html`<${Pager} label="Pages of items"
        previous=${data.previous === null ? undefined : { before: String(data.previous), after: undefined }}
        next=${data.next === null ? undefined : { after: String(data.next), before: undefined }} />`
    }`;
}

const shown = [
  { title: 'Item', align: 'number', show: ({ id }: Item) => countOf(id) },
  { title: 'State', show: ({ state }: Item) => html`<${ItemState} state=${state} />` },
  { title: 'Why', show: ({ why }: Item) => why !== null && html`<${Told} text=${why} />` },
  { title: 'Input', code: true, show: ({ input }: Item) => input },
  { title: 'Output', code: true, show: ({ output }: Item) => output ?? '' },
  {
    title: 'Started, ended',
    show: ({ started, stopped }: Item) =>
      html`<${Time} at=${started} />${stopped !== null && html`<br /><${Time} at=${stopped} />`}`,
  },
  { title: 'Attempts left', align: 'number', show: ({ attemptsLeft }: Item) => attemptsLeft },
];

const actionColumn = (again: (item: number) => () => Promise<void>) => ({
  title: 'Action',
  show: ({ id, state }: Item) =>
    state === 'failed' &&
    html`<${Confirm} button="Retry" title=${`Retry item ${id}?`} action=${again(id)}>
      <p>It returns to the queue with at least one attempt left.</p><//>`,
});
