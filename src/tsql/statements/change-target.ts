import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { FromItem } from '../../syntax/ast/query.ts';
import type { Delete, Insert, Target, Update } from '../../syntax/ast/statement.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { withCtes } from '../query/cte.ts';
import { compileFrom } from '../query/joins/from.ts';
import type { PlanColumn } from '../query/plan.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import { standIn } from '../stored/stand-in.ts';
import { storedTarget } from '../stored/target.ts';
import { type ChangedQuery, changedQuery, leavesOf, onlyTable, severalTables, WayThrough } from './changed-query.ts';

/** What an UPDATE or DELETE changes. */
export interface ChangeTarget {
  readonly table: Target;
  /** What FROM calls it, folded; undefined if it has only its own name. */
  readonly alias: string | undefined;
  /** FROM with the target in it. */
  readonly items: readonly FromItem[];
  /** The query through which the table is changed. */
  readonly through: ChangedQuery | undefined;
}

/** Finds the target among FROM, or makes it the only source; an alias of FROM may be the target's name. */
export async function changeTarget(statement: Update | Delete, frame: Frame): Promise<ChangeTarget> {
  const { target, from } = statement;
  const through = changedQuery(target, from, statement.with, frame.host);
  const aliased = 'variable' in target ? undefined : aliasedTarget(target.name, from);
  const items = withTarget(from, target, aliased !== undefined || through?.isDerived === true);
  if (through !== undefined)
    return { table: await tableBehind(through, statement, items, frame), alias: through.alias, items, through };
  const alias = aliased && fold(nameOf(target));
  return { table: aliased ?? target, alias, items, through };
}

const nameOf = (target: Target): string => ('variable' in target ? target.variable : target.name);

/** UPDATE a SET … FROM #t AS a: the alias refers to its table. */
function aliasedTarget(name: string, from: readonly FromItem[]): Target | undefined {
  for (const item of from.flatMap(leavesOf)) {
    if (item.kind === 'derived' || item.alias === undefined || fold(item.alias) !== fold(name)) continue;
    return item.kind === 'variable' ? { variable: item.name } : item.name;
  }
  return undefined;
}

function withTarget(from: readonly FromItem[], target: Target, isAliased: boolean): readonly FromItem[] {
  const own: FromItem =
    'variable' in target ? { kind: 'variable', name: target.variable } : { kind: 'table', name: target };
  const named = from
    .flatMap(leavesOf)
    .some(
      (item) =>
        item.kind !== 'derived' && fold(item.kind === 'variable' ? item.name : item.name.name) === fold(nameOf(target)),
    );
  return isAliased || named ? from : [own, ...from];
}

/** The table that is changed through a query: of several, the one whose columns are given values. */
async function tableBehind(
  through: ChangedQuery,
  statement: Update | Delete,
  items: readonly FromItem[],
  frame: Frame,
): Promise<Target> {
  const only = onlyTable(through, frame.host);
  if (only !== undefined) return only;
  if (statement.kind === 'delete') throw severalTables(through);
  const columns = await columnsOf(through, statement, items, frame);
  return nameOfTable(new WayThrough(through, columns, givenBy(statement)).table);
}

/** The columns of a query, and the rows that it carries. */
async function columnsOf(
  { alias }: ChangedQuery,
  statement: Insert | Update | Delete,
  items: readonly FromItem[],
  frame: Frame,
): Promise<readonly PlanColumn[]> {
  const plain = await StatementContext.of(frame, [statement, items], { carriesRows: true });
  const context = plain.withCtes(withCtes(statement.with, plain, undefined).ctes);
  return compileFrom(items, undefined, context)?.sources.find((source) => source.alias === alias)?.columns ?? [];
}

/** INSERT into a common table expression or view: the statement for its table, and how rows of that are shown. */
export async function insertThrough(
  statement: Insert,
  frame: Frame,
): Promise<{ readonly statement: Insert; readonly way?: WayThrough; readonly through?: ChangedQuery }> {
  const { target } = statement;
  const through = changedQuery(target, [], statement.with, frame.host);
  if (through === undefined || 'variable' in target) return { statement };
  const only = onlyTable(through, frame.host);
  const find = async () => {
    const columns = await columnsOf(through, statement, [{ kind: 'table', name: target }], frame);
    return new WayThrough(through, columns, statement.columns);
  };
  const stored = only && (await storedTarget(only, frame, 'INSERT'));
  const way =
    only === undefined || stored === undefined
      ? await find()
      : await frame.standingIn(standIn(stored), namesOf(only), find);
  const placed = statement.source === 'default values' ? [] : way.placed(statement.columns, frame.host);
  return { statement: { ...statement, target: only ?? nameOfTable(way.table), columns: placed }, way, through };
}

/** The names at which statements find a target. */
export const namesOf = (target: Target): ReadonlySet<ObjectName> => new Set('variable' in target ? [] : [target]);

/** The columns that a statement gives values. */
export const givenBy = (statement: Update | Delete): readonly string[] =>
  statement.kind === 'delete' ? [] : statement.assignments.flatMap((item) => ('column' in item ? [item.column] : []));

/** The name under which statements find a table. */
const nameOfTable = ({ database, schema, name }: MemoryTable): Target =>
  name.startsWith('@') ? { variable: name } : { database, schema, name };
