import type { Fetched } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Notice } from './notice.ts';

/**
 * What is to be said of an answer besides what is in it: why it did not come, or, after a while, that it is awaited.
 */
export const Pending = ({ error, loading }: Pick<Fetched<unknown>, 'error' | 'loading'>): View =>
  error
    ? html`<${Notice} text=${error.message} />`
    : loading && html`<p class="muted pending" role="status">Loading…</p>`;
