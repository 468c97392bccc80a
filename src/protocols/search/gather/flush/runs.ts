import type { Bindable } from '../../../../base/stored.ts';
import { type EachEngine, lookedUp, sql, table } from '../../../../engine/sql.ts';

/** Something that becomes of a link: its document, if it has one, and the rest of what a statement is told of it. */
interface OfLink {
  readonly link: number;
  readonly document: number | null;
  readonly rest?: readonly (number | null)[];
}

/**
 * Rows for `linksOf`. Links mostly come one after another, get documents one after another and become alike: those are one row,
 * with how far the documents are ahead of the links. A row a link takes SQLite as long to read as the link takes to be written.
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
 * The links `l` of some runs `n`, of which `n.place` tells the order; `l.link_id + n.ahead` is the document of a link, and
 * `rest` names what else is told of each.
 */
export function linksOf(runs: readonly (readonly Bindable[])[], ...rest: readonly string[]): EachEngine {
  const named = Object.fromEntries(
    ['first', 'last', 'ahead', 'place', ...rest].map((name) => [name, 'bigint'] as const),
  );
  return lookedUp(sql`${table(named, runs)} n`, sql`crawl_links`, sql`l`, sql`l.link_id between n.first and n.last`);
}
