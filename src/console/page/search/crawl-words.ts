import type { Crawl } from '../../api/search.ts';
import { html, type View } from '../html.ts';
import { Age } from '../parts/age.ts';
import { Badge } from '../parts/badge.ts';
import { Time } from '../parts/time.ts';

/** What is crawled, in a word. */
export const typeOf = ({ type, project }: Crawl): string => (project === 'Anchors' ? 'anchors' : type.toLowerCase());

/** Whether it continues only after a decision: it is paused, or would delete many documents. */
const needsSomebody = ({ waitsFor, isHeld }: Crawl): boolean => waitsFor === null || isHeld;

interface StandsProps {
  readonly crawl: Crawl;
  /** False if no component is running that would continue it. */
  readonly isAttended: boolean;
}

/** The state of a crawl, in words. */
export const Stands = ({ crawl, isAttended }: StandsProps): View => {
  const isStill = needsSomebody(crawl) || !isAttended;
  const kind = crawl.stands === 'Done' ? 'ok' : crawl.isOver ? 'idle' : isStill ? 'warn' : 'ok';
  const asked = crawl.asked === null ? '' : `, asked to ${crawl.asked}`;
  return html`<${Badge} kind=${kind} text=${`${crawl.stands}${asked}`} />`;
};

/** What to do if a crawl is running and no component works on it. */
export const Unattended = (): View => html`<div class="notice warn" role="status">
  <p>No crawl component is running, so crawls make no progress. To run the free ones, here or on another machine: <code>granary crawl run</code></p></div>`;

/** Whom a crawl waits for, and since when. */
export function Awaited({ crawl, brief = false }: { readonly crawl: Crawl; readonly brief?: boolean }): View {
  const { waitsFor, components, since, isOver } = crawl;
  if (isOver) return null;
  if (waitsFor === null) return 'somebody to resume it';
  return html`${waitsFor}${components === null ? '' : ` (component ${components})`}${
    since !== null &&
    (brief ? html`, for <${Age} at=${since} />` : html`, since <${Time} at=${since} /> (<${Age} at=${since} />)`)
  }`;
}
