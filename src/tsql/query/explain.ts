import { type EngineQuery, written } from '../../procedure/relations/engine-query.ts';
import { shownSql } from '../../procedure/relations/shown-sql.ts';
import { noRows } from '../evaluate/compiled.ts';
import { storedQuery } from './by-engine/engine-tree.ts';
import type { Source } from './joins/from.ts';
import { engineQueryOf, type SelectSteps, start } from './selected.ts';

const indented = (lines: readonly string[]): string[] => lines.map((line) => `     ${line}`);

const engineLine = (query: EngineQuery): string => `|--Engine(${shownSql(written(query).query)})`;

/** How a SELECT would run: what stays in the interpreter, the last step first, then what the engine does. */
export async function explainSelect(steps: SelectSteps): Promise<readonly string[]> {
  const started = await start(steps, noRows, Number.POSITIVE_INFINITY);
  const { asked, isSorted, percent, count, skip, bounds } = started;
  const query = engineQueryOf(steps, started);
  const isGroupedThere = query?.groupBy !== undefined;
  const rest = asked?.rest ?? steps.where;
  const kept: string[] = [];
  if ((count !== undefined && bounds.limit === undefined) || percent !== undefined || skip > 0) kept.push('Top');
  if (steps.distinct && !isGroupedThere) kept.push('Distinct');
  if (steps.keys.length > 0 && !isSorted) kept.push(`Sort(${steps.keys.length})`);
  if (steps.windows.used) kept.push('Window');
  if (steps.having.length > 0) kept.push(`Having(${steps.having.length})`);
  if (steps.group !== undefined && !isGroupedThere) kept.push('Group');
  if (rest.length > 0) kept.push(`Filter(${rest.length})`);
  const sources = query === undefined ? await sourceLines(steps.sources) : [engineLine(query)];
  return [...kept.map((step) => `|--${step}`), ...sources];
}

async function sourceLines(sources: readonly Source[]): Promise<string[]> {
  const lines: string[] = [];
  for (const source of sources) {
    if (source.stored !== undefined) lines.push(engineLine(await storedQuery(source.stored, noRows)));
    else lines.push(`|--${source.table === undefined ? 'Rows' : 'Table'}(${source.label})`);
    if (source.plan !== undefined) lines.push(...indented((await source.plan.explain?.()) ?? []));
  }
  return sources.length < 2 ? lines : ['|--Join', ...indented(lines)];
}
