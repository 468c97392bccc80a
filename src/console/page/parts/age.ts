import { useEffect, useMemo, useState } from 'preact/hooks';
import { html, type View } from '../html.ts';
import { written } from './time.ts';
import { spanOf } from './words.ts';

/** How long a moment is ago, which shows on hover; it grows while one looks, whether something else changes or not. */
export function Age({ at }: { readonly at: string }): View {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const title = useMemo(() => written(new Date(at)).title, [at]);
  return html`<time datetime=${at} title=${title}>${spanOf(now - Date.parse(at))}</time>`;
}
