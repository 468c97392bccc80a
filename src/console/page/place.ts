import { useEffect, useState } from 'preact/hooks';

const root = '/console';

/** The current address, and how to navigate. */
export interface Place {
  /** The path below /console. */
  readonly path: string;
  /** The parts of the path after the page's own, decoded. */
  readonly rest: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** Changes the filters in the address, which Back undoes; an empty text removes one. */
  setQuery(changes: Readonly<Record<string, string | undefined>>): void;
  /** Goes to a path below /console; `instead` of the present one, which Back then passes over. */
  go(path: string, instead?: 'instead'): void;
}

const changed = new EventTarget();

const here = (): string => `${location.pathname}${location.search}`;

function move(url: string, replace = false): void {
  if (url === here()) return;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  changed.dispatchEvent(new Event('change'));
}

/** Goes to a path below /console. */
const go: Place['go'] = (path, instead) => move(`${root}${path}`, instead !== undefined);

/** The address of a path below /console. */
export const hrefOf = (path: string): string => `${root}${path}`;

/** A whole number in an address; undefined if there is none. */
export const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,10}$/.test(text) ? Number(text) : undefined;

/** The path below /console, and the rest of the address; updated when it changes. */
export function usePlace(): Omit<Place, 'rest'> {
  const [href, setHref] = useState(location.href);
  useEffect(() => {
    const note = () => setHref(location.href);
    addEventListener('popstate', note);
    changed.addEventListener('change', note);
    document.addEventListener('click', followed);
    return () => {
      removeEventListener('popstate', note);
      changed.removeEventListener('change', note);
      document.removeEventListener('click', followed);
    };
  }, []);
  const url = new URL(href);
  return {
    path: url.pathname.slice(root.length) || '/',
    query: Object.fromEntries(url.searchParams),
    setQuery(changes) {
      const to = new URL(location.href);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') to.searchParams.delete(name);
        else to.searchParams.set(name, value);
      }
      move(`${to.pathname}${to.search}`);
    },
    go,
  };
}

/** A link to a page of the console is followed without reloading. */
function followed(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download')) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(`${root}/`)) return;
  const address = `${url.pathname}${url.search}`;
  // A link into the page itself is the browser's.
  if (url.hash !== '' && address === here()) return;
  event.preventDefault();
  move(address);
  // As when a page is loaded: one begins at its top, and a keyboard or screen reader at its contents.
  scrollTo(0, 0);
  document.getElementById('main')?.focus({ preventScroll: true });
}
