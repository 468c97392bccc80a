import { useCallback, useEffect, useState } from 'preact/hooks';
import { logOut, whoAmI } from '../api/session.ts';
import { ApiFault, call, SessionToken, shared } from './fetch.ts';
import { html, type View } from './html.ts';
import { LogIn, LogInAgain } from './log-in.ts';
import { Navigation } from './navigation.ts';
import type { Page, PageProps, Session } from './page.ts';
import { pages } from './pages.ts';
import { Notice } from './parts/notice.ts';
import { hrefOf, type Place, usePlace } from './place.ts';
import { ThemeSwitch } from './theme.ts';

/** The user: not known yet, nobody, somebody, one whose session has ended; or the server does not respond. */
type Who =
  | { readonly state: 'asking' | 'nobody' | 'unreachable' }
  | { readonly state: 'here' | 'expired'; readonly session: Session };

/** Whether two answers describe one session with the same rights; its end changes with every request. */
const isSame = (one: Session, other: Session): boolean =>
  one.login === other.login && one.role === other.role && one.csrf === other.csrf;

/** Milliseconds between two questions whether the session still holds. */
const checkEvery = 5_000;

const noRoles =
  'Your login has no role yet, so you see no database. An admin can give it one, under Sessions and logins.';

/** Tells the other pages of this browser that the user has logged out. */
const left = new BroadcastChannel('granary-left');

/** The whole console: who looks, where, and the page of that place. */
export function App(): View {
  const place = usePlace();
  const [who, setWho] = useState<Who>({ state: 'asking' });
  const enter = useCallback((session: Session) => {
    shared.csrf = session.csrf;
    setWho((before) =>
      before.state === 'here' && isSame(before.session, session) ? before : { state: 'here', session },
    );
  }, []);
  const ask = useCallback(async () => {
    try {
      enter(await call(whoAmI, {}));
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      setWho({ state: error.status === 401 ? 'nobody' : 'unreachable' });
    }
  }, [enter]);
  useEffect(() => {
    shared.expired = () => setWho((before) => (before.state === 'here' ? { ...before, state: 'expired' } : before));
    void ask();
    // Other pages of this browser keep nothing of a user who has logged out, not even behind a form.
    left.onmessage = () => setWho({ state: 'nobody' });
  }, [ask]);
  const hasSession = 'session' in who;
  // Streams of events outlive the cookie that they were opened with: a request finds out that it has expired, that the
  // role has changed, or that another user, or the same one again, has logged in with this browser.
  useEffect(() => {
    if (!hasSession) return;
    let hasLeft = false;
    const timer = setInterval(() => {
      if (!document.hidden)
        void call(whoAmI, {}).then(
          (session) => hasLeft || enter(session),
          () => {},
        );
    }, checkEvery);
    return () => {
      hasLeft = true;
      clearInterval(timer);
    };
  }, [hasSession, enter]);
  const page = pageOf(place.path);
  useEffect(() => {
    if (place.path === '/' && hasSession) place.go(pages[0]?.path ?? '/', 'instead');
    document.title = titleOf(page, place);
  }, [place, page, hasSession]);
  if (who.state === 'asking') return null;
  if (who.state === 'unreachable') {
    return html`<main class="alone"><${Notice} text="The server does not answer." /><button onClick=${ask}>Try again</button></main>`;
  }
  if (!('session' in who)) return html`<${LogIn} onEnter=${enter} />`;
  const { session, state } = who;
  const leave = async () => {
    await call(logOut, {}).catch(() => {});
    left.postMessage('logged out');
    setWho({ state: 'nobody' });
  };
  return html`<${SessionToken.Provider} value=${state === 'here' ? session.csrf : undefined}>
    <a class="skip" href="#main">Skip to the page</a>
    <header class="top">
      <a class="brand" href=${hrefOf('/overview')}><${Mark} />Granary</a>
      <span class="where">${session.server}</span>
      <span class="spring"></span>
      <${ThemeSwitch} />
      <span class="me" title=${`Logged in as ${session.login}, role ${session.role}`}>${session.login} <span class="role-name muted">${session.role === 'none' ? 'no role' : session.role}</span></span>
      <button class="quiet" onClick=${leave}>Log out</button>
    </header>
    <${Navigation} current=${page?.path} />
    <main id="main" tabindex="-1">
      ${session.role === 'none' && html`<${Notice} kind="warn" text=${noRoles} />`}
      ${page === undefined ? html`<${Nowhere} />` : html`<${Loaded} key=${`${page.path} ${session.login} ${session.role}`} page=${page} place=${placeIn(page, place)} session=${session} />`}
    </main>
    <footer class="muted small">Times are in UTC; hover over one for local time.</footer>
    <//>
    ${state === 'expired' && html`<${LogInAgain} onEnter=${enter} before=${session.login} />`}`;
}

const Mark = (): View => html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
  <path d="M12 2 3 7v2h18V7zM5 11v9h14v-9zm3 2h2v5H8zm3 0h2v5h-2zm3 0h2v5h-2z" />
</svg>`;

const Nowhere = (): View => html`<h1>Page not found</h1>
  <p>Check the address, or start at <a href=${hrefOf('/overview')}>the overview</a>.</p>`;

const pageOf = (path: string): Page | undefined =>
  pages.find((page) => path === page.path || path.startsWith(`${page.path}/`));

/**
 * The title by which a page is recognised among tabs, most specific part first: 1 · TranslationServices · Jobs ·
 * Granary.
 */
const titleOf = (page: Page | undefined, place: Omit<Place, 'rest'>): string =>
  page === undefined ? 'Granary' : [...placeIn(page, place).rest.toReversed(), page.title, 'Granary'].join(' · ');

/** A decoded part of an address; unchanged if it is not encoded correctly. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const placeIn = ({ path }: Page, place: Omit<Place, 'rest'>): Place => ({
  ...place,
  rest: place.path
    .slice(path.length + 1)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
});

/** A page, once its module is loaded. */
function Loaded({ page, place, session }: PageProps & { readonly page: Page }): View {
  const [View, setView] = useState<((props: PageProps) => View) | undefined>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    page.load().then(
      ({ view }) => setView(() => view),
      () => setFailed(true),
    );
  }, [page]);
  if (failed) return html`<${Notice} text="The page could not be loaded. Reload it once the server is back." />`;
  return View === undefined ? null : html`<${View} place=${place} session=${session} />`;
}
