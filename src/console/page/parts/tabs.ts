import { html, type View } from '../html.ts';
import { hrefOf } from '../place.ts';

interface TabsProps {
  readonly label: string;
  /** Each tab: its address below /console, and its title. */
  readonly tabs: readonly (readonly [path: string, title: string])[];
  readonly current: string;
}

/** Parts of a page, each with an address of its own. */
export const Tabs = ({ label, tabs, current }: TabsProps): View => html`
  <nav class="tabs" aria-label=${label}>
    ${tabs.map(
      ([path, title]) =>
        html`<a key=${path} href=${hrefOf(path)} aria-current=${path === current ? 'page' : undefined}>${title}</a>`,
    )}
  </nav>`;
