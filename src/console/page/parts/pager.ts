import { html, type View } from '../html.ts';

interface PagerProps {
  readonly label: string;
  /** What the address says of the first page, of the one before and of the one behind, where there is one. */
  readonly first?: Readonly<Record<string, string | undefined>> | undefined;
  readonly previous?: Readonly<Record<string, string | undefined>> | undefined;
  readonly next?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The address of this page with some of what it says changed. */
function changedAddress(changes: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return `${url.pathname}${url.search}`;
}

/** The ways to the pages before and behind this one; filters stay. */
export const Pager = ({ label, first, previous, next }: PagerProps): View =>
  first === undefined && previous === undefined && next === undefined
    ? null
    : html`<nav class="actions" aria-label=${label}>
        ${first && html`<a class="button" href=${changedAddress(first)}>First page</a>`}
        ${previous && html`<a class="button" rel="prev" href=${changedAddress(previous)}>Previous</a>`}
        ${next && html`<a class="button" rel="next" href=${changedAddress(next)}>Next</a>`}
      </nav>`;
