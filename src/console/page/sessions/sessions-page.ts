import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { hrefOf } from '../place.ts';
import { LoginList } from './login-list.ts';
import { SessionList } from './session-list.ts';

/** Who is connected, and who may be. */
export function view({ place, session }: PageProps): View {
  const isLogins = place.rest[0] === 'logins';
  const tab = (path: string, title: string, isHere: boolean) =>
    html`<a href=${hrefOf(path)} aria-current=${isHere ? 'page' : undefined}>${title}</a>`;
  return html`
    <h1>Sessions and logins</h1>
    <nav class="tabs" aria-label="Sessions and logins">
      ${tab('/sessions', 'Sessions', !isLogins)} ${tab('/sessions/logins', 'Logins', isLogins)}
    </nav>
    ${isLogins ? html`<${LoginList} session=${session} />` : html`<${SessionList} place=${place} session=${session} />`}`;
}
