import { useEffect, useState } from 'preact/hooks';
import { type WireCall, wireEvents } from '../../api/wire.ts';
import { useEvents } from '../events.ts';
import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Badge } from '../parts/badge.ts';
import { Empty } from '../parts/empty.ts';
import { counted } from '../parts/words.ts';
import { CallList } from './call-list.ts';
import { WireFilters } from './wire-filters.ts';

/** Calls that the page shows at once. */
const most = 200;

/** Newer calls before older ones, each once: after a pause, the last ones are sent again. */
function joined(fresh: readonly WireCall[], before: readonly WireCall[]): readonly WireCall[] {
  const known = new Set(before.map(({ id }) => id));
  return [...fresh.filter(({ id }) => !known.has(id)), ...before].slice(0, most);
}

/** Live calls, decoded by declaration. */
export function view({ place, session }: PageProps): View {
  const { procedure, login, database, ended, slower, session: number, values } = place.query;
  const [calls, setCalls] = useState<readonly WireCall[]>([]);
  const [skipped, setSkipped] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [open, setOpen] = useState<string | undefined>();
  // New calls are held back while one is open: otherwise the list would move while it is being read.
  const [held, setHeld] = useState<readonly WireCall[]>([]);
  const reveals = values === 'true' && session.role === 'admin';
  const asked = {
    ...{ procedure, login, database },
    ...(ended === 'failed' || ended === 'well' ? ({ ended } as const) : {}),
    ...(Number(slower) > 0 ? { slower: Number(slower) } : {}),
    ...(/^\d+$/.test(number ?? '') ? { session: Number(number) } : {}),
    ...(reveals ? { values: true } : {}),
  };
  const isFiltered = Object.entries(asked).some(([name, value]) => name !== 'values' && value !== undefined);
  const filter = JSON.stringify(asked);
  const clear = () => {
    setCalls([]);
    setHeld([]);
    setOpen(undefined);
  };
  useEffect(clear, [filter]);
  const read = (id: string | undefined) => {
    setOpen(id);
    if (id !== undefined) return;
    setCalls((before) => joined(held, before));
    setHeld([]);
  };
  const state = useEvents(
    wireEvents,
    asked,
    (event) => {
      const take = open === undefined ? setCalls : setHeld;
      take((before) => joined(event.calls.toReversed(), before));
      setSkipped((before) => before + event.skipped);
    },
    { paused: isPaused },
  );
  const words = isPaused
    ? 'Paused'
    : {
        connecting: 'Connecting…',
        open: 'Live',
        lost: 'Connection lost, reconnecting…',
        crowded: 'Waiting: other tabs of this browser are live',
      }[state];
  return html`
    <div class="head">
      <h1>Wire</h1>
      <span role="status"><${Badge} kind=${isPaused || state !== 'open' ? 'warn' : 'ok'} text=${words} /></span>
      <span class="spring"></span>
      <div class="actions">
        <button aria-pressed=${isPaused} onClick=${() => setPaused(!isPaused)}>${isPaused ? 'Resume' : 'Pause'}</button>
        <button onClick=${() => {
          clear();
          setSkipped(0);
        }}>Clear</button>
      </div>
    </div>
    <p class="muted">
      ${session.role === 'admin' ? 'Calls of all sessions' : `Calls of ${session.login}`} as they arrive, decoded. Documents, tokens and T-SQL texts are hidden${session.role === 'admin' ? ' unless you ask for them, which is logged' : ''}.
    </p>
    <${WireFilters} place=${place} isAdmin=${session.role === 'admin'} />
    ${
      open !== undefined &&
      html`<p class="muted small">The list is paused while a call is open. ${
        held.length > 0 &&
        html`<button class="link" onClick=${() => read(undefined)}>Close it and show ${counted(held.length, 'newer call')}</button>`
      }</p>`
    }
    ${skipped > 0 && html`<p class="muted small" role="status">${counted(skipped, 'call')} ${skipped === 1 ? 'was' : 'were'} not shown: at most 40 per second are. A narrower filter shows more of what you are looking for.</p>`}
    ${
      calls.length === 0
        ? html`<section class="card"><${Empty} title=${isFiltered ? 'No matching calls yet' : 'No calls yet'}>Calls ${isFiltered && 'that match the filters '}appear
          here as clients make them. Nothing is recorded while nobody is looking.<//></section>`
        : html`<${CallList} calls=${calls} open=${open} onOpen=${(id: string) => read(open === id ? undefined : id)} />`
    }`;
}
