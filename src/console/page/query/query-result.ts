import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { QueryAnswer, QueryError, QuerySet } from '../../api/query.ts';
import { html, type View } from '../html.ts';
import { millisecondsOf } from '../parts/figures.ts';
import { Notice } from '../parts/notice.ts';
import { counted } from '../parts/words.ts';
import { saveCsv } from './csv.ts';

/** An error with its position. */
const told = ({ number, procedure, line, message }: QueryError): string =>
  `Error ${number}, ${procedure === '' ? '' : `procedure ${procedure}, `}line ${line}: ${message}`;

/** What a query answered: its errors with their lines, messages, result sets. */
export function QueryResult({
  answer: { sets, messages, error, moreErrors, count, milliseconds },
}: {
  readonly answer: QueryAnswer;
}): View {
  return html`<section class="stack" aria-label="Result">
    ${error && [error, ...moreErrors].map((each, i) => html`<${Notice} key=${i} text=${told(each)} />`)}
    <p class="muted small" role="status">${error ? 'Failed after' : 'Done in'} ${millisecondsOf(milliseconds)}, ${counted(count, 'row')} in all.</p>
    ${messages.length > 0 && html`<pre class="card messages">${messages.map(({ text }) => text).join('\n')}</pre>`}
    ${sets.map((set, i) => html`<${ResultSet} key=${i} set=${set} number=${i + 1} />`)}
  </section>`;
}

function ResultSet({ set, number }: { readonly set: QuerySet; readonly number: number }): View {
  const { columns, rows, isCut } = set;
  const [shown, setShown] = useState(1);
  const windows = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / windowSize) }, (_, i) => {
        const some = rows.slice(i * windowSize, (i + 1) * windowSize);
        return html`<${Rows} key=${i} columns=${columns} rows=${some} />`;
      }),
    [set],
  );
  const left = rows.length - shown * windowSize;
  return html`<section class="stack">
    <div class="head">
      <h2>Result set ${number}</h2>
      <span class="muted small">${isCut ? 'first ' : ''}${counted(rows.length, 'row')}${isCut ? '; more were not fetched' : ''}</span>
      <span class="spring"></span>
      <button onClick=${() => saveCsv(set, `result-${number}.csv`)}>Save as CSV</button>
    </div>
    <div class="scroll" role="region" aria-label=${`Rows of result set ${number}`} tabindex="0">
      <table>
        <caption class="sr">Result set ${number}</caption>
        <thead><tr>${columns.map(
          ({ name, type, isNumber }, i) =>
            html`<th key=${i} scope="col" class=${isNumber ? 'number' : undefined} title=${type}>${name || '(no name)'}</th>`,
        )}</tr></thead>
        ${windows.slice(0, shown)}
      </table>
      ${left > 0 && html`<${More} key=${shown} left=${left} onMore=${() => setShown(shown + 1)} />`}
    </div>
  </section>`;
}

/** Rows that are drawn at once. */
const windowSize = 250;

/** Some of the rows; rendered rows are not rendered again when more are added. */
const Rows = ({
  columns,
  rows,
}: {
  readonly columns: QuerySet['columns'];
  readonly rows: QuerySet['rows'];
}): View => html`
  <tbody>${rows.map(
    (row, i) =>
      html`<tr key=${i}>${row.map(
        (value, j) => html`<td key=${j} class=${columns[j]?.isNumber ? 'number' : 'code'}>
        ${value === null ? html`<span class="muted">NULL</span>` : value}</td>`,
      )}</tr>`,
  )}</tbody>`;

/** The link to further rows, which renders them when it is scrolled into view. */
function More({ left, onMore }: { readonly left: number; readonly onMore: () => void }): View {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onMore(),
    );
    if (button.current) seen.observe(button.current);
    return () => seen.disconnect();
  }, []);
  return html`<button ref=${button} onClick=${onMore}>Show ${Math.min(left, windowSize).toLocaleString('en')} more rows</button>`;
}
