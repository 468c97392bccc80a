import { useEffect, useRef, useState } from 'preact/hooks';
import { overview } from '../../api/overview.ts';
import { type QueryAnswer, runQuery, usualRows } from '../../api/query.ts';
import { ApiFault, call, useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Choice } from '../parts/field.ts';
import { Notice } from '../parts/notice.ts';
import { QueryResult } from './query-result.ts';

const limits = [usualRows, 100, 5000, 10_000].map((rows) => [`${rows}`, `${rows.toLocaleString('en')} rows`] as const);

/** A box for T-SQL; the address keeps the text, so that it can be sent to a colleague. */
export function view({ place, session }: PageProps): View {
  const { data } = useApi(overview, {});
  const databases = ['master', ...(data?.databases.map(({ name }) => name) ?? [])];
  const database = place.query['database'] ?? databases[1] ?? 'master';
  const [answer, setAnswer] = useState<QueryAnswer | undefined>();
  const [fault, setFault] = useState<ApiFault | undefined>();
  const [running, setRunning] = useState<AbortController | undefined>();
  const [isCancelled, setCancelled] = useState(false);
  const [mayWrite, setMayWrite] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => () => running?.abort(), [running]);
  const addressed = place.query['text'];
  // Back and Forward bring the text of the address; one too long for it stays.
  useEffect(() => {
    if (box.current === null || addressed === undefined || box.current.value === addressed) return;
    box.current.value = addressed;
    setAnswer(undefined);
  }, [addressed]);
  const run = async () => {
    const text = box.current?.value ?? '';
    if (text.trim() === '' || running !== undefined) return;
    place.setQuery({ text: text.length <= 4000 ? text : '', database });
    const abort = new AbortController();
    setRunning(abort);
    setFault(undefined);
    setAnswer(undefined);
    setCancelled(false);
    const rows = Number(place.query['rows'] ?? usualRows);
    try {
      setAnswer(await call(runQuery, { database, text, rows, ...(mayWrite ? { writes: true } : {}) }, abort.signal));
    } catch (failure) {
      if (failure instanceof ApiFault) setFault(failure);
      else if (!abort.signal.aborted) throw failure;
      else setCancelled(true);
    } finally {
      setRunning(undefined);
    }
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void run();
  };
  return html`
    <h1>Query</h1>
    <form class="stack" onSubmit=${(event: Event) => {
      event.preventDefault();
      void run();
    }}>
      <div class="filters">
        <${Choice} label="Database" value=${database} options=${databases.map((name) => [name, name])}
          onChange=${(name: string) => place.setQuery({ database: name })} />
        <${Choice} label="Row limit" value=${place.query['rows'] ?? `${usualRows}`} options=${limits}
          onChange=${(rows: string) => place.setQuery({ rows })} />
        ${
          session.role === 'admin' &&
          html`<label class="check"><input type="checkbox" checked=${mayWrite}
            onChange=${(event: { currentTarget: HTMLInputElement }) => setMayWrite(event.currentTarget.checked)} /> Allow writes</label>`
        }
      </div>
      <label class="field">T-SQL
        <textarea ref=${box} class="sql" rows="8" spellcheck="false" autocomplete="off" onKeyDown=${keys}
          placeholder="select * from sys.procedures" defaultValue=${place.query['text'] ?? ''}></textarea></label>
      <div class="actions">
        <button class="primary" disabled=${running !== undefined}>Run</button>
        ${running && html`<button type="button" onClick=${() => running.abort()}>Cancel</button>`}
        <span class="muted small">${mayWrite ? 'Changes are kept, and the log notes that writing was allowed.' : 'Read-only: statements that change anything are refused.'} Ctrl+Enter runs it.</span>
      </div>
    </form>
    ${running && html`<p role="status" class="muted">Running…</p>`}
    ${isCancelled && html`<${Notice} kind="warn" text="Cancelled. Rows read so far are not shown." />`}
    ${fault && html`<${Notice} text=${fault.message} />`}
    ${answer && html`<${QueryResult} answer=${answer} />`}`;
}
