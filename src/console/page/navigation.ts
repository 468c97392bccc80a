import { html, type View } from './html.ts';
import { pages } from './pages.ts';
import { useCurrentInSight } from './parts/in-sight.ts';
import { hrefOf } from './place.ts';

/** The pages; on a phone, where they do not all fit, the current one is scrolled into view. */
export function Navigation({ current }: { readonly current: string | undefined }): View {
  const nav = useCurrentInSight(current);
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
