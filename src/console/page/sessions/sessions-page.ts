import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Tabs } from '../parts/tabs.ts';
import { LoginList } from './login-list.ts';
import { SessionList } from './session-list.ts';

const tabs = [
  ['/sessions', 'Sessions'],
  ['/sessions/logins', 'Logins'],
] as const;

/** Who is connected, and who may be. */
export function view({ place, session }: PageProps): View {
  const isLogins = place.rest[0] === 'logins';
  return html`
    <h1>Sessions and logins</h1>
    <${Tabs} label="Sessions and logins" tabs=${tabs} current=${isLogins ? '/sessions/logins' : '/sessions'} />
    ${isLogins ? html`<${LoginList} session=${session} />` : html`<${SessionList} place=${place} session=${session} />`}`;
}
