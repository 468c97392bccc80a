import type { Turn } from '../../base/threads/turn.ts';
import type { DateOrder } from '../../tds/convert/parse-date.ts';
import { convertInTurns } from '../../values/convert-in-turns.ts';
import { commonType } from '../../values/precedence.ts';
import type { Env } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { type Batches, passedOn } from './batches.ts';
import type { Plan, PlanColumn } from './plan.ts';

type Row = readonly unknown[];
type Columns = readonly PlanColumn[];

/** Queries whose rows have been converted to common types. */
interface Unified {
  readonly columns: Columns;
  /** The rows of one of the queries, in the types of the columns. */
  rows(at: number, env: Env): Batches<Row>;
}

/**
 * Queries with as many columns each, in common types. Those are found, and rows are converted to them, query by query
 * from the left: text that is united with integers must be one, even where decimals follow.
 */
export function unified(plans: readonly Plan[], context: Context): Unified {
  const { dateFormat } = context.frame.host.options;
  let columns = plans[0]?.columns ?? [];
  /** The types on the way, and for each query the first that its rows are converted to. */
  const stages: Columns[] = [];
  const stageOf = [0];
  for (const { columns: others } of plans.slice(1)) {
    const both = merged(columns, others);
    if (stages.length === 0 || !isSame(columns, both)) stages.push(both);
    stageOf.push(stages.length - 1);
    columns = both;
  }
  const onwards = stages.map((stage, at) => conversion(stage, stages[at + 1] ?? stage, dateFormat, context.run.turn));
  return {
    columns,
    rows(at, env) {
      const [plan, stage = 0] = [plans[at], stageOf[at]];
      if (plan === undefined) throw new Error('there are rows of the queries only');
      const own = conversion(plan.columns, stages[stage] ?? columns, dateFormat, context.run.turn);
      const steps = [own, ...onwards.slice(stage)].filter((step) => step !== undefined);
      if (steps.length === 0) return plan.rows(env);
      const change = (row: Row) =>
        steps.reduce((one: Row | Promise<Row>, step) => (one instanceof Promise ? one.then(step) : step(one)), row);
      return passedOn(plan.rows(env), (row) => alone(change(row)), context.run.turn);
    },
  };
}

/** The common columns of two queries; the same columns if they need no conversion. */
function merged(columns: Columns, others: Columns): Columns {
  const both = columns.map((column, at): PlanColumn => {
    const other = others[at] ?? column;
    const isPlain = column.source === undefined && column.label === undefined && !column.isJson;
    if (isPlain && column.type === other.type && !column.bare && column.nullable === other.nullable) return column;
    return {
      name: column.name,
      type: column.bare ? other.type : other.bare ? column.type : commonType(column.type, other.type),
      nullable: column.nullable || other.nullable,
      ...(column.bare && other.bare ? { bare: true } : {}),
    };
  });
  return both.every((column, at) => column === columns[at]) ? columns : both;
}

const isSame = (some: Columns, others: Columns): boolean =>
  some === others || some.every(({ type }, at) => type.declaration === others[at]?.type.declaration);

/** Converts a row to other types; undefined if they are the same. */
function conversion(
  from: Columns,
  to: Columns,
  dateOrder: DateOrder,
  turn: Turn,
): ((row: Row) => Row | Promise<Row>) | undefined {
  if (isSame(from, to)) return undefined;
  const options = { implicit: true, expression: true, dateOrder };
  return (row) => {
    const made = row.map((value, at) => {
      const [own, wanted] = [from[at]?.type, to[at]?.type];
      return own === undefined || wanted === undefined ? value : convertInTurns(value, own, wanted, options, turn);
    });
    return made.some((value) => value instanceof Promise) ? Promise.all(made) : made;
  };
}

const alone = (row: Row | Promise<Row>): readonly Row[] | Promise<readonly Row[]> =>
  row instanceof Promise ? row.then((made) => [made]) : [row];

/** The rows of a plan in other types. */
export function converted(plan: Plan, columns: Columns, env: Env, dateOrder: DateOrder, turn: Turn): Batches<Row> {
  const change = conversion(plan.columns, columns, dateOrder, turn);
  return change === undefined ? plan.rows(env) : passedOn(plan.rows(env), (row) => alone(change(row)), turn);
}
