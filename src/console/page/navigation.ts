import { useEffect, useRef } from 'preact/hooks';
import { html, type View } from './html.ts';
import { pages } from './pages.ts';
import { hrefOf } from './place.ts';

/** The pages there are; on a phone, where they do not fit beside one another, the current one is brought into sight. */
export function Navigation({ current }: { readonly current: string | undefined }): View {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (nav.current) bringIntoSight(nav.current);
  }, [current]);
  return html`
  <nav ref=${nav} class="pages" aria-label="Pages">
    <ul>
      ${pages.map(
        ({ path, title }) => html`<li key=${path}>
          <a href=${hrefOf(path)} aria-current=${path === current ? 'page' : undefined}>${title}</a>
        </li>`,
      )}
    </ul>
  </nav>`;
}

/** Not by scrollIntoView, after which the first Tab of some browsers goes on from there, past the skip link. */
function bringIntoSight(nav: HTMLElement): void {
  const current = nav.querySelector('[aria-current]')?.getBoundingClientRect();
  if (current === undefined) return;
  const all = nav.getBoundingClientRect();
  nav.scrollLeft += current.left + current.width / 2 - (all.left + all.width / 2);
}
