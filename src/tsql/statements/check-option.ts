import { sqlError } from '../../base/messages/sql-error.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { FromItem, Query } from '../../syntax/ast/query.ts';
import { noRows } from '../evaluate/compiled.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import { compileFrom } from '../query/joins/from.ts';
import { reading } from '../query/read.ts';
import { HeldMemory } from '../storage/held-memory.ts';
import { type MadeView, meantBy } from '../storage/made-view.ts';
import type { MemoryTable, TableRow } from '../storage/memory-table.ts';
import { viewNamed } from '../storage/object-place.ts';
import { type ChangedQuery, type Ctes, cteNamed, ctesOf, leavesOf } from './changed-query.ts';

/** The approximate memory of a row that is looked for. */
const bytesPerRow = 64;

/**
 * 550 unless the views WITH CHECK OPTION that a statement has changed rows of a table through have all of these rows;
 * such a view also stands for those that it reads.
 */
export async function refuseUnseen(
  through: ChangedQuery | undefined,
  table: MemoryTable,
  rows: readonly TableRow[],
  frame: Frame,
): Promise<void> {
  if (through === undefined || rows.length === 0) return;
  for (const view of checkedViews(through, frame.host)) {
    using held = new HeldMemory(frame.host.memory, table.refused);
    held.take(rows.length * bytesPerRow);
    const missing = new Set<unknown>(rows.map(({ values }) => values));
    await eachRowBehind(view, table, frame, (row) => missing.delete(row));
    if (missing.size > 0) throw sqlError(550);
  }
}

/** The rows of a table that those of a view consist of; none if the view does not read it. */
async function eachRowBehind(view: MadeView, table: MemoryTable, frame: Frame, take: (row: unknown) => void) {
  const { name, schema } = view;
  const item: FromItem = { kind: 'table', name: { name, schema, database: 'tempdb' } };
  const context = await StatementContext.of(frame, [item], { carriesRows: true });
  const source = compileFrom([item], undefined, context)?.sources[0];
  const places = source?.columns.flatMap(({ carries }, at) => (carries === table ? [at] : [])) ?? [];
  await reading(context, async () => {
    for await (const batch of source?.rows(noRows) ?? []) {
      for (const row of batch) for (const at of places) take(row[at]);
      if (frame.turn.isOver) await frame.turn.giveWay();
    }
  });
}

/** The outermost views WITH CHECK OPTION: 4427 for one that limits its rows. */
function checkedViews({ query, ctes, view }: ChangedQuery, host: Host): ReadonlySet<MadeView> {
  const found = new Set<MadeView>();
  const seen = new Set<Query>();
  const visitView = (of: MadeView): void => {
    const { definition } = of;
    if (!definition.isChecked) visit(definition.query, ctesOf(definition.query.with), of);
    else if (isLimited(definition.query)) throw sqlError(4427, of.name);
    else found.add(of);
  };
  const visit = (of: Query, inSight: Ctes, within: MadeView | undefined): void => {
    if (seen.has(of)) return;
    seen.add(of);
    for (const leaf of firstSelect(of.body)?.from.flatMap(leavesOf) ?? []) {
      if (leaf.kind === 'derived') visit(leaf.query, inSight, within);
      if (leaf.kind !== 'table') continue;
      const cte = cteNamed(leaf.name, inSight);
      const inner = cte === undefined && viewNamed(within ? meantBy(within, leaf.name, host) : leaf.name, host);
      if (cte !== undefined) visit(cte.query, inSight, within);
      else if (inner) visitView(inner);
    }
  };
  if (view === undefined) visit(query, ctes, undefined);
  else visitView(view);
  return found;
}

const isLimited = ({ body, offset }: Query): boolean => offset !== undefined || firstSelect(body)?.top !== undefined;
