import type { ApiFault, Fetched } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Notice } from './notice.ts';

/** The error of a login without a role on a database. */
const noRole = 916;

/** Why there is no answer and, if it helps, what to do. */
const explained = ({ message, number }: ApiFault): string =>
  number === noRole ? `${message} An admin can give you a role on it, under Sessions and logins.` : message;

/** A message about an answer: why it did not arrive, or, after a while, that it is awaited. */
export const Pending = ({ error, loading }: Pick<Fetched<unknown>, 'error' | 'loading'>): View =>
  error
    ? html`<${Notice} text=${explained(error)} />`
    : loading && html`<p class="muted pending" role="status">Loading…</p>`;
