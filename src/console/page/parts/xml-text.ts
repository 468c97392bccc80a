import { useMemo } from 'preact/hooks';
import { html, type View } from '../html.ts';
import { counted } from './words.ts';
import { compareXml, xmlLines } from './xml-lines.ts';

const indent = '  ';
/** The number of lines that a browser shows at once without a pause. */
const mostLines = 5_000;

/** A document as people read it: an element to a line. */
export function XmlText({ label, text }: { readonly label: string; readonly text: string }): View {
  const lines = useMemo(() => xmlLines(text), [text]);
  const shown = lines.slice(0, mostLines).map(({ depth, text: line }) => indent.repeat(depth) + line);
  return html`<pre class="xml" role="region" aria-label=${label} tabindex="0">${shown.join('\n')}</pre>
    ${lines.length > mostLines && html`<p class="muted">${counted(lines.length - mostLines, 'more line')} not shown.</p>`}`;
}

const marks = { both: ' ', before: '−', after: '+' } as const;
const spoken = { both: '', before: 'removed: ', after: 'added: ' } as const;

interface ComparedProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The removed and added parts of a document, line by line. */
export function XmlCompared({ label, before, after }: ComparedProps): View {
  const lines = useMemo(() => compareXml(before, after), [before, after]);
  if (lines === undefined) return html`<p class="muted">The two versions are too large to compare here.</p>`;
  const changed = lines.filter(({ where }) => where !== 'both').length;
  return html`<p class="muted small">${changed === 0 ? 'No differences.' : `${counted(changed, 'line')} ${changed === 1 ? 'differs' : 'differ'}.`}</p>
    <pre class="xml" role="region" aria-label=${label} tabindex="0">${lines
      .slice(0, mostLines)
      .map(
        ({ depth, text, where }, at) =>
          html`<span key=${at} class=${where}><span class="sr">${spoken[where]}</span><span aria-hidden="true">${marks[where]} </span>${indent.repeat(depth)}${text}${'\n'}</span>`,
      )}</pre>`;
}
