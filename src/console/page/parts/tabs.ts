import { html, type View } from '../html.ts';
import { hrefOf } from '../place.ts';
import { useCurrentInSight } from './in-sight.ts';

interface TabsProps {
  readonly label: string;
  /** Each tab: its address below /console, and its title. */
  readonly tabs: readonly (readonly [path: string, title: string])[];
  readonly current: string;
}

/** Parts of a page, each with its own address. */
export function Tabs({ label, tabs, current }: TabsProps): View {
  const row = useCurrentInSight(current);
  return html`<nav ref=${row} class="tabs" aria-label=${label}>
    ${tabs.map(
      ([path, title]) =>
        html`<a key=${path} href=${hrefOf(path)} aria-current=${path === current ? 'page' : undefined}>${title}</a>`,
    )}
  </nav>`;
}
