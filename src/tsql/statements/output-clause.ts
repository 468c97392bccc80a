import { fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { OutputClause } from '../../syntax/ast/statement.ts';
import { noRows } from '../evaluate/compiled.ts';
import { answered } from '../evaluate/prepared.ts';
import type { StatementContext } from '../evaluate/statement-context.ts';
import { memorySource } from '../query/from.ts';
import { envOf } from '../query/join.ts';
import { reading } from '../query/read.ts';
import { SelectScope } from '../query/scope.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import { RowRules, targetTable, toColumn } from './rows.ts';

/** A row before and after a change. */
interface Change {
  readonly inserted: readonly unknown[] | undefined;
  readonly deleted: readonly unknown[] | undefined;
}

/** OUTPUT: sends, or puts into a table, expressions over what was inserted and deleted. */
export async function outputRows(
  output: OutputClause | undefined,
  table: MemoryTable,
  changes: readonly Change[],
  context: StatementContext,
): Promise<void> {
  if (output === undefined) return;
  const scope = new SelectScope([memorySource(table, 'inserted'), memorySource(table, 'deleted')], undefined);
  const { compiled: items, pending } = context.prepared(() =>
    output.items.items.flatMap((item) => {
      if (item.kind === 'star') {
        const alias = fold(item.qualifier?.at(-1) ?? '');
        if (alias !== 'inserted' && alias !== 'deleted') throw sqlError(4104, '*');
        return table.columns.map(({ name }) => ({
          name,
          value: context.expression({ kind: 'column', parts: [alias, name] }, scope),
        }));
      }
      const value = context.expression(item.expression, scope);
      return [{ name: (item.kind === 'value' ? item.alias : undefined) ?? value.name ?? '', value }];
    }),
  );
  const rows: unknown[][] = [];
  await reading(context, async () => {
    for (const { inserted, deleted } of changes) {
      const env = envOf([inserted ?? null, deleted ?? null], noRows);
      await answered(pending, env);
      rows.push(items.map(({ value }) => value.evaluate(env)));
    }
  });
  if (output.into !== undefined)
    return intoTable(
      output.into,
      rows,
      items.map(({ value }) => value.type),
      context,
    );
  const { sink } = context.frame;
  sink.columns(items.map(({ name, value }) => ({ name, type: value.type, nullable: true })));
  for (const row of rows) {
    const slow = sink.row(row);
    if (slow) await slow;
  }
  sink.endRows(rows.length);
}

async function intoTable(
  into: NonNullable<OutputClause['into']>,
  rows: readonly unknown[][],
  types: readonly Parameters<typeof toColumn>[1][],
  context: StatementContext,
): Promise<void> {
  const table = await targetTable(into, context.frame, 'INSERT');
  const rules = new RowRules(table, context);
  if (types.length !== table.columns.length) throw sqlError(213);
  for (const row of rows) {
    const values = table.columns.map((column, at) =>
      toColumn(row[at], types[at] ?? column.type, table, column, context.frame),
    );
    table.insert(rules.finish(values, 'INSERT'));
  }
}
