import type { Crawl } from '../../api/search.ts';
import { html, type View } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { Time } from '../parts/time.ts';
import { ageOf } from '../parts/words.ts';

/** Where a crawl stands, in words. */
export const Stands = ({ crawl }: { readonly crawl: Crawl }): View => {
  const kind = crawl.stands === 'Done' ? 'ok' : crawl.isOver ? 'idle' : crawl.waitsFor === null ? 'warn' : 'ok';
  return html`<${Badge} kind=${kind} text=${crawl.stands} />`;
};

/** Whom a crawl waits for, and since when. */
export function Awaited({ crawl }: { readonly crawl: Crawl }): View {
  const { waitsFor, components, since, isOver } = crawl;
  if (isOver) return null;
  if (waitsFor === null) return html`Nobody: it goes on when somebody resumes it.`;
  return html`${waitsFor}${components === null ? '' : ` (component ${components})`}${
    since !== null && html`, since <${Time} at=${since} /> (${ageOf(since)})`
  }`;
}
