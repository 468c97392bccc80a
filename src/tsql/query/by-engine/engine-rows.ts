import type { Call } from '../../../procedure/call.ts';
import type { EngineQuery, Output } from '../../../procedure/relations/engine-query.ts';
import { engineSql } from '../../../procedure/relations/engine-statement.ts';
import type { Batches } from '../batches.ts';
import type { Source } from '../joins/from.ts';
import type { JoinRow } from '../joins/join-row.ts';
import type { StoredSource } from './stored-source.ts';

/** The rows of a query as the engine returns them: values in the order of its outputs. */
export function engineRows(
  query: EngineQuery,
  call: Call | undefined,
  { sources, isAlone }: { readonly sources: readonly Pick<Source, 'stored'>[]; readonly isAlone: boolean },
): Batches<readonly unknown[]> {
  if (call === undefined) throw new Error('a relation is read outside of its statement');
  const { shape, query: text } = engineSql(query);
  const isOneRow = sources.length === 1 && sources[0]?.stored?.isOneRow === true;
  return call.db.batches(shape, text, { few: isOneRow || isFew(query), only: isAlone });
}

/** The limit for a short result: what is fetched at once. */
const few = 256;

/** True if the result is known to be short: a single group, or a limited number of rows. */
function isFew({ groupBy, limit }: EngineQuery): boolean | 'likely' {
  if (groupBy?.length === 0 || (limit !== undefined && Number(limit) <= few)) return true;
  return groupBy !== undefined && 'likely';
}

/** The columns of sources that a query reads, and how they become rows of those sources. */
export interface Layout {
  readonly outputs: readonly Output[];
  row(values: readonly unknown[]): JoinRow;
}

/** Reads the used columns of sources; `optional` are those for which an outer join may find no row. */
export function layoutOf(
  sources: readonly (readonly [number, StoredSource])[],
  optional: ReadonlySet<number>,
  width: number,
): Layout {
  const outputs: Output[] = [];
  const parts = sources.map(([source, stored]) => {
    const isThere = optional.has(source) ? outputs.push({ kind: 'isThere', source }) - 1 : undefined;
    const first = outputs.length;
    for (const column of stored.used) outputs.push({ kind: 'column', of: { source, column } });
    return { source, isThere, first, end: outputs.length };
  });
  return {
    outputs,
    row(values) {
      if (width === 1) return [values];
      const rows: (readonly unknown[] | null)[] = new Array(width).fill(null);
      for (const { source, isThere, first, end } of parts)
        if (isThere === undefined || values[isThere] !== null) rows[source] = values.slice(first, end);
      return rows;
    },
  };
}
