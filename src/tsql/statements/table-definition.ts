import { fold } from '../../base/collation.ts';
import type { TableDefinition } from '../ast/table.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { SelectScope } from '../query/scope.ts';

/** A definition as written, completed: whether a column allows NULL, and what type a computed column has. */
export async function completed(definition: TableDefinition, frame: Frame): Promise<TableDefinition> {
  const settled = withNullDefault(definition, frame);
  if (!settled.columns.some(({ computed }) => computed !== undefined)) return settled;
  const context = await StatementContext.of(frame, settled);
  // A computed column may use any column but another computed one.
  const plain = settled.columns.filter(({ computed }) => computed === undefined);
  const scope = new SelectScope([{ alias: fold(''), columns: plain }], undefined);
  const columns = settled.columns.map((column) =>
    column.computed === undefined ? column : { ...column, type: context.expression(column.computed, scope).type },
  );
  return { ...settled, columns };
}

/** Without ANSI_NULL_DFLT_ON a column that says nothing about NULL does not allow it. */
function withNullDefault(definition: TableDefinition, { host }: Frame): TableDefinition {
  if (host.options.ansiNullDefaultOn) return definition;
  const columns = definition.columns.map((column) =>
    column.nullableByDefault ? { ...column, nullable: false } : column,
  );
  return { ...definition, columns };
}
