import type { Call } from '../../procedure/call.ts';
import type { EngineQuery, Output } from '../../procedure/engine-query.ts';
import { engineSql } from '../../procedure/engine-statement.ts';
import type { Batches } from './batches.ts';
import type { Source } from './from.ts';
import type { JoinRow } from './join.ts';
import type { StoredSource } from './stored-source.ts';

/** The rows of a query as the engine answers it: values in the order of its outputs. */
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

/** How many rows are few: as many as come in one go. */
const few = 256;

/** True when the answer is known to be short: a value a group of all, or no more than so many. */
function isFew({ groupBy, limit }: EngineQuery): boolean | 'likely' {
  if (groupBy?.length === 0 || (limit !== undefined && Number(limit) <= few)) return true;
  return groupBy !== undefined && 'likely';
}

/** The columns of sources that a query reads, and how they become rows of those sources. */
export interface Layout {
  readonly outputs: readonly Output[];
  row(values: readonly unknown[]): JoinRow;
}

/** Reads what is used of sources; `optional` are those that an outer join may find no row of. */
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
