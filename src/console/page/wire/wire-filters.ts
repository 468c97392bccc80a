import { html, type View } from '../html.ts';
import { Choice, Field } from '../parts/field.ts';
import type { Place } from '../place.ts';

interface Props {
  readonly place: Place;
  readonly isAdmin: boolean;
}

const endings = [
  ['', 'any'],
  ['failed', 'failed'],
  ['well', 'succeeded'],
] as const;

/** The filter of the calls; kept in the address. */
export function WireFilters({ place, isAdmin }: Props): View {
  const set = (name: string) => (value: string) => place.setQuery({ [name]: value });
  const { query } = place;
  return html`<form class="filters" role="search" aria-label="Filter calls" onSubmit=${(event: Event) => event.preventDefault()}>
    <${Field} label="Procedure" value=${query['procedure']} onChange=${set('procedure')} placeholder="part of its name" />
    ${isAdmin && html`<${Field} label="Login" value=${query['login']} onChange=${set('login')} size=${10} />`}
    <${Field} label="Database" value=${query['database']} onChange=${set('database')} />
    <${Field} label="Session" value=${query['session']} onChange=${set('session')} isNumber=${true} />
    <${Field} label="Slower than, ms" value=${query['slower']} onChange=${set('slower')} isNumber=${true} />
    <${Choice} label="Result" value=${query['ended'] ?? ''} options=${endings} onChange=${set('ended')} />
    ${
      isAdmin &&
      html`<label class="check">
        <input type="checkbox" checked=${query['values'] === 'true'}
          onChange=${(event: { currentTarget: HTMLInputElement }) => set('values')(event.currentTarget.checked ? 'true' : '')} />
        Show hidden values
      </label>`
    }
  </form>`;
}
