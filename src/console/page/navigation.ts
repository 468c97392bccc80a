import { html, type View } from './html.ts';
import { pages } from './pages.ts';
import { hrefOf } from './place.ts';

/** The pages there are. */
export const Navigation = ({ current }: { readonly current: string | undefined }): View => html`
  <nav class="pages" aria-label="Pages">
    <ul>
      ${pages.map(
        ({ path, title }) => html`<li key=${path}>
          <a href=${hrefOf(path)} aria-current=${path === current ? 'page' : undefined}>${title}</a>
        </li>`,
      )}
    </ul>
  </nav>`;
