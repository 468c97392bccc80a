import type { WireCall } from '../../api/wire.ts';
import { html, type View } from '../html.ts';
import { millisecondsOf } from '../parts/figures.ts';
import { Time } from '../parts/time.ts';
import { CallDetail } from './call-detail.ts';

interface Props {
  readonly calls: readonly WireCall[];
  readonly open: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** The calls, the newest first; one opens to show all of it. */
export const CallList = ({ calls, open, onOpen }: Props): View => html`
  <div class="scroll" role="region" aria-label="Calls" tabindex="0">
    <table class="wire">
      <caption class="sr">Calls, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th><th scope="col">Call</th><th scope="col" class="aside">Database</th><th scope="col" class="aside">Login</th>
          <th scope="col" class="number aside">Session</th><th scope="col" class="aside">Program</th>
          <th scope="col" class="number aside">Rows</th><th scope="col">Result</th><th scope="col" class="number">Duration</th>
        </tr>
      </thead>
      <tbody>
        ${calls.map((call) => html`<${CallRow} key=${call.id} call=${call} isOpen=${call.id === open} onOpen=${onOpen} />`)}
      </tbody>
    </table>
  </div>`;

function CallRow({ call, isOpen, onOpen }: { call: WireCall; isOpen: boolean; onOpen: (id: string) => void }): View {
  const rows = call.sets.reduce((sum, { rows: of }) => sum + of, 0);
  return html`
    <tr class=${call.error ? 'failed' : undefined}>
      <td><${Time} at=${call.at} day=${false} /></td>
      <td class="code">
        <button class="link" aria-expanded=${isOpen} onClick=${() => onOpen(call.id)}>${call.name}</button>
      </td>
      <td class="aside">${call.database}</td>
      <td class="aside">${call.login}</td>
      <td class="number aside">${call.session}</td>
      <td class="program aside" title=${call.program}>${call.program}</td>
      <td class="number aside">${call.sets.length === 0 ? '–' : rows.toLocaleString('en')}</td>
      <td class=${call.error ? 'said bad' : 'said'} title=${call.error ? endOf(call) : undefined}>${endOf(call)}</td>
      <td class="number">${millisecondsOf(call.milliseconds)}</td>
    </tr>
    ${isOpen && html`<tr class="detail"><td colspan="9"><${CallDetail} call=${call} /></td></tr>`}`;
}

function endOf({ error, returned }: WireCall): string {
  if (error) return error.number === 0 ? error.message : `${error.number}: ${error.message}`;
  return returned === null ? 'done' : `returned ${returned}`;
}
