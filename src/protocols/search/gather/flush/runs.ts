import type { Bindable } from '../../../../base/stored.ts';
import { type EachEngine, lookedUp, sql, table } from '../../../../engine/sql.ts';

/** A decision about a link: its document, if it has one, and further values for a statement. */
interface OfLink {
  readonly link: number;
  readonly document: number | null;
  readonly rest?: readonly (number | null)[];
}

/**
 * Rows for `linksOf`. Consecutive links mostly get consecutive documents and the same decision: these become one row,
 * with the offset between document and link. One row per link takes SQLite as long to read as the link takes to write.
 */
export function runsOf(links: readonly OfLink[]): Bindable[][] {
  const runs: (number | null)[][] = [];
  let run: (number | null)[] | undefined;
  for (const { link, document, rest = [] } of links) {
    const ahead = document === null ? null : document - link;
    const goesOn = run?.[1] === link - 1 && run[2] === ahead && rest.every((value, at) => run?.[at + 4] === value);
    if (run !== undefined && goesOn) run[1] = link;
    else {
      run = [link, link, ahead, runs.length, ...rest];
      runs.push(run);
    }
  }
  return runs;
}

/**
 * The links `l` of some runs `n`, ordered by `n.place`; `l.link_id + n.ahead` is the document of a link, and `rest`
 * names the further values.
 */
export function linksOf(runs: readonly (readonly Bindable[])[], ...rest: readonly string[]): EachEngine {
  const named = Object.fromEntries(
    ['first', 'last', 'ahead', 'place', ...rest].map((name) => [name, 'bigint'] as const),
  );
  return lookedUp(sql`${table(named, runs)} n`, sql`crawl_links`, sql`l`, sql`l.link_id between n.first and n.last`);
}
