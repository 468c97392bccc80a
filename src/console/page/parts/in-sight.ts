import { useEffect, useRef } from 'preact/hooks';

/** For a row of links that may be wider than a phone: the current one is brought into sight whenever it changes. */
export function useCurrentInSight(current: string | undefined) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (row.current) bringIntoSight(row.current);
  }, [current]);
  return row;
}

/** Not with scrollIntoView, after which the first Tab of some browsers continues from there, past the skip link. */
function bringIntoSight(row: HTMLElement): void {
  const current = row.querySelector('[aria-current]')?.getBoundingClientRect();
  if (current === undefined) return;
  const all = row.getBoundingClientRect();
  row.scrollLeft += current.left + current.width / 2 - (all.left + all.width / 2);
}
