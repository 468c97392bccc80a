import { useEffect, useState } from 'preact/hooks';
import type { View } from '../html.ts';
import { spanOf } from './words.ts';

/** How long a moment is ago; it grows while one looks, whether something else changes or not. */
export function Age({ at }: { readonly at: string }): View {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return spanOf(now - Date.parse(at));
}
