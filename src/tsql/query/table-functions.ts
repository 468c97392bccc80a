import { byName } from '../../base/by-name.ts';
import { allCollations, type Collation } from '../../tds/types/collation-name.ts';
import * as t from '../../tds/types/index.ts';
import type { PlanColumn } from './plan.ts';

/** A function that stands in FROM: its columns, and its rows. */
interface TableFunction {
  readonly columns: readonly PlanColumn[];
  rows(): readonly (readonly unknown[])[];
}

const column = (name: string, length: number, nullable: boolean): PlanColumn => ({
  name,
  type: t.nvarchar(length),
  nullable,
});

const sensitive = (word: string, ignored: boolean): string => `${word}-${ignored ? 'in' : ''}sensitive`;

/** `Latin1-General-100, case-insensitive, accent-sensitive, …`, as SQL Server describes a collation. */
function description({ name, comparisonStyle: style, sortId, codePage }: Collation): string {
  const designator = name.replace(/^SQL_/, '').replace(/_(?:CP\d+|BIN2?|C[IS]_A[IS]).*$/, '');
  const parts = [designator.replaceAll('_', '-')];
  if (/_BIN(_|$)/.test(name)) parts.push('binary sort');
  else if (/_BIN2(_|$)/.test(name)) parts.push('binary code point comparison sort');
  else {
    parts.push(sensitive('case', (style & 1) !== 0), sensitive('accent', (style & 2) !== 0));
    parts.push(sensitive('kanatype', (style & 0x10000) !== 0), sensitive('width', (style & 0x20000) !== 0));
  }
  if (/_140_C/.test(name)) parts.push('supplementary characters', sensitive('variation selector', !/_VSS/.test(name)));
  if (/_SC(_|$)/.test(name)) parts.push('supplementary characters');
  if (/_UTF8$/.test(name)) parts.push('UTF8');
  const text = parts.join(', ');
  if (sortId === 0) return text;
  return `${text} for Unicode Data, SQL Server Sort Order ${sortId} on Code Page ${codePage} for non-Unicode Data`;
}

let collations: readonly (readonly unknown[])[] | undefined;

/** The functions that may stand in FROM, by their name in lower case. */
export const tableFunctions: Readonly<Record<string, TableFunction>> = byName({
  fn_helpcollations: {
    columns: [column('name', 128, false), column('description', 1000, false)],
    rows: () => {
      collations ??= allCollations().map((collation) => [collation.name, description(collation)]);
      return collations;
    },
  },
});
