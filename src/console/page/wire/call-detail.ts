import { inSentence } from '../../api/in-sentence.ts';
import type { WireCall } from '../../api/wire.ts';
import { html, type View } from '../html.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';

type Parameter = WireCall['parameters'][number];

const parameterColumns = [
  { title: 'Parameter', code: true, show: ({ name, isOutput }: Parameter) => (isOutput ? `${name} output` : name) },
  { title: 'Type', code: true, show: ({ type }: Parameter) => type },
  {
    title: 'Value',
    code: true,
    show: ({ value, isHidden }: Parameter) => {
      if (value === null) return html`<span class="muted">NULL</span>`;
      return isHidden ? html`<span class="muted">hidden, ${value}</span>` : value;
    },
  },
];

/** All that is known of one call. */
export function CallDetail({ call }: { readonly call: WireCall }): View {
  const { parameters, outputs, sets, section, link } = call;
  return html`<div class="stack">
    <dl class="facts">
      <dt>When</dt><dd><${Time} at=${call.at} /></dd>
      <dt>From</dt><dd>${inSentence(call.host) || 'an unnamed machine'}, ${inSentence(call.program) || 'an unnamed program'}</dd>
      <dt>Session</dt><dd>${call.session} of ${inSentence(call.login)}, in ${call.database}</dd>
      ${
        section &&
        html`<dt>Section</dt><dd>${link ? html`<a href=${link} target="_blank" rel="noreferrer noopener">${section}</a>` : section}</dd>`
      }
      ${call.error && html`<dt>Error</dt><dd>${call.error.number}: ${call.error.message}</dd>`}
    </dl>
    ${parameters.length > 0 && html`<${Table} caption="Parameters" columns=${parameterColumns} rows=${parameters} keyOf=${nameOf} />`}
    ${outputs.length > 0 && html`<h2>Output values</h2><${Table} caption="Output values" columns=${parameterColumns} rows=${outputs} keyOf=${nameOf} />`}
    ${sets.map(
      ({ columns, rows }, i) => html`<section key=${i} class="stack">
        <h2>Result set ${i + 1}: ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}</h2>
        <p class="code">${columns.map(({ name, type }) => `${name || '(no name)'} ${type}`).join(', ')}</p>
      </section>`,
    )}
  </div>`;
}

const nameOf = ({ name }: Parameter): string => name;
