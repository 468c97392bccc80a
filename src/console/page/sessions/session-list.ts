import { useState } from 'preact/hooks';
import { inSentence } from '../../api/in-sentence.ts';
import { endSession, listSessions, type SessionRow } from '../../api/sessions.ts';
import { call } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { useLive } from '../live.ts';
import type { PageProps } from '../page.ts';
import { Age } from '../parts/age.ts';
import { Badge } from '../parts/badge.ts';
import { Dialog } from '../parts/dialog.ts';
import { Empty } from '../parts/empty.ts';
import { Field } from '../parts/field.ts';
import { Notice } from '../parts/notice.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { spanOf } from '../parts/words.ts';
import { hrefOf } from '../place.ts';

const stateOf = ({ isRunning, waitsFor, transactions }: SessionRow): View => {
  if (waitsFor !== null) return html`<${Badge} kind="warn" text="waiting" />`;
  if (isRunning) return html`<${Badge} kind="ok" text="running" />`;
  return html`<${Badge} kind="idle" text=${transactions > 0 ? 'idle in transaction' : 'idle'} />`;
};

/** What a session does, in words. */
const doingOf = ({ command, since, waitsFor }: SessionRow): View => {
  if (command === null) return html`<span class="muted">–</span>`;
  if (waitsFor === null) return since === null ? command : html`${command}, for <${Age} at=${since} />`;
  const { milliseconds, session, resource } = waitsFor;
  return html`${command}, waiting ${spanOf(milliseconds)} for${' '}
    <a href=${hrefOf(`/sessions?find=${session}`)}>session ${session}</a> (${inSentence(resource)})`;
};

const columnsFor = (isAdmin: boolean, onEnd: (row: SessionRow) => void) => [
  {
    title: 'Session',
    align: 'number',
    show: ({ session }: SessionRow) => html`<a href=${hrefOf(`/wire?session=${session}`)}>${session}</a>`,
  },
  { title: 'State', show: stateOf },
  { title: 'Login', show: ({ login }: SessionRow) => html`<span class="brief name">${login}</span>` },
  { title: 'Activity', show: doingOf },
  { title: 'Database', show: ({ database }: SessionRow) => database },
  { title: 'Program', show: ({ program }: SessionRow) => html`<span class="brief name">${program}</span>` },
  {
    title: 'From',
    show: ({ address, host, encrypted }: SessionRow) =>
      [host, address, encrypted && 'TLS'].filter(Boolean).join(' ') || 'this process',
  },
  { title: 'Connected', align: 'number', show: ({ connected }: SessionRow) => html`<${Age} at=${connected} />` },
  ...(isAdmin
    ? [
        {
          title: 'Action',
          show: (row: SessionRow) =>
            html`<button class="danger" onClick=${() => onEnd(row)} aria-label=${`End session ${row.session}`}>End</button>`,
        },
      ]
    : []),
];

/** Who runs what, and waits for whom. */
export function SessionList({ place, session }: PageProps): View {
  const { data, error, loading, reload } = useLive(listSessions, {});
  const [ending, setEnding] = useState<SessionRow | undefined>();
  const [done, setDone] = useState('');
  const wanted = (place.query['find'] ?? '').toLowerCase();
  const rows = (data?.sessions ?? []).filter(({ login, program, database, command, session: number }) =>
    [login, program, database, command ?? '', `${number}`].some((text) => text.toLowerCase().includes(wanted)),
  );
  return html`
    <${Pending} error=${error} loading=${loading} />
    <form class="filters" role="search" aria-label="Filter sessions" onSubmit=${(event: Event) => event.preventDefault()}>
      <${Field} label="Find" value=${place.query['find']} placeholder="login, program, database…" size=${26}
        onChange=${(find: string) => place.setQuery({ find })} />
    </form>
    ${done !== '' && html`<${Notice} kind="ok" text=${done} />`}
    ${session.role !== 'admin' && html`<p class="muted small">You see the sessions of your login; an admin sees all.</p>`}
    ${
      data &&
      (rows.length === 0
        ? html`<section class="card"><${Empty} title="No sessions">${wanted !== '' ? 'No session matches the filter.' : session.role === 'admin' ? 'Nobody is connected over TDS.' : 'Your login is not connected over TDS.'}<//></section>`
        : html`<${Table} caption="Sessions" columns=${columnsFor(session.role === 'admin', setEnding)} rows=${rows}
            keyOf=${({ session: number }: SessionRow) => number} />`)
    }
    ${
      ending &&
      html`<${Dialog} title=${`End session ${ending.session}?`} action="End session" isDangerous=${true}
        onClose=${() => setEnding(undefined)}
        onSubmit=${async () => {
          await call(endSession, { session: ending.session });
          setDone(`Session ${ending.session} is ended.`);
          reload();
        }}>
        <p>${inSentence(ending.login)} (${inSentence(ending.program) || 'an unnamed program'}) is disconnected, and its uncommitted changes are rolled back.</p>
      <//>`
    }`;
}
