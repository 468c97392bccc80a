import { html, type View } from '../html.ts';

interface PagerProps {
  readonly label: string;
  /** The addresses of the first, the previous and the next page, if any. */
  readonly first?: Readonly<Record<string, string | undefined>> | undefined;
  readonly previous?: Readonly<Record<string, string | undefined>> | undefined;
  readonly next?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The address of this page with some parameters changed. */
function changedAddress(changes: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return `${url.pathname}${url.search}`;
}

/** Links to the previous and next pages; filters stay. */
export const Pager = ({ label, first, previous, next }: PagerProps): View =>
  first === undefined && previous === undefined && next === undefined
    ? null
    : html`<nav class="actions" aria-label=${label}>
        ${first && html`<a class="button" href=${changedAddress(first)}>First page</a>`}
        ${previous && html`<a class="button" rel="prev" href=${changedAddress(previous)}>Previous</a>`}
        ${next && html`<a class="button" rel="next" href=${changedAddress(next)}>Next</a>`}
      </nav>`;
