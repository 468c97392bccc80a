import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { Condition } from '../../syntax/ast/expression.ts';
import type { Target } from '../../syntax/ast/statement.ts';
import type { ColumnDefinition } from '../../syntax/ast/table.ts';
import { type ConvertOptions, convert } from '../../tds/convert/convert.ts';
import { convertSteps } from '../../tds/convert/convert-steps.ts';
import { charactersOf } from '../../tds/convert/to-text.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { withoutPadding } from '../../values/padding.ts';
import { coerce } from '../evaluate/coerce.ts';
import { type Compiled, noRows, type Test } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { answered, type Prepared } from '../evaluate/prepared.ts';
import type { Frame } from '../frame.ts';
import { memorySource } from '../query/joins/from.ts';
import { envOf } from '../query/joins/join-row.ts';
import { SelectScope } from '../query/scope.ts';
import type { MemoryTable, TableColumn } from '../storage/memory-table.ts';
import { namedColumns } from '../storage/named-columns.ts';
import { isShared, mayMakeShared, placeOf, tableNamed, viewNamed } from '../storage/object-place.ts';

/**
 * The table that a statement changes: a temporary one, one of tempdb, or a table variable. 229 for any other; 208, or
 * the number that the statement has for this, if there is none.
 */
export async function targetTable(
  target: Target,
  frame: Frame,
  permission: string,
  missing: 208 | 1088 | 4701 | 4902 = 208,
): Promise<MemoryTable> {
  if ('variable' in target) return frame.ownTable(target.variable);
  const { host } = frame;
  const table = tableNamed(target, host);
  if (table !== undefined) {
    const changing = permission === 'INSERT' ? 'insert' : 'change';
    if (isShared(placeOf(target, host), host)) {
      // A table that an administrator created for all to use is not theirs to alter.
      const isOthers = permission === 'ALTER' && !table.name.startsWith('##') && !mayMakeShared(host);
      if (host.identity.isReadOnly || isOthers) throw sqlError(229, permission, table.name, 'tempdb', table.schema);
      await host.tempDb.lock(table, changing, host, frame.signal);
    }
    return table;
  }
  const relation = target.name.startsWith('#') ? undefined : await host.relation(target);
  if (relation !== undefined) {
    const standIn = frame.standInFor(target);
    if (standIn !== undefined) return standIn;
    throw sqlError(229, permission, target.name, target.database ?? host.database, target.schema ?? 'dbo');
  }
  throw viewNamed(target, host) === undefined ? sqlError(missing, target.name) : isNoTable(missing, target.name);
}

/** The error of a statement for a view. */
const isNoTable = (missing: 208 | 1088 | 4701 | 4902, name: string): SqlError =>
  sqlError(({ 208: 208, 1088: 1939, 4701: 4708, 4902: 4909 } as const)[missing], name);

/** A value converted for a column: 2628 or 8152 if it is too long; without ANSI_WARNINGS it is truncated. */
export function toColumn(
  value: unknown,
  from: AnyType,
  table: MemoryTable,
  column: TableColumn,
  frame: Frame,
  verifyLength: boolean = frame.host.options.ansiWarnings,
): unknown {
  const kept = fitted(value, from, column, () => calledIn(table), frame, verifyLength);
  return column.unpadded ? withoutPadding(kept) : kept;
}

/** The same in steps, for a long value. */
export function* toColumnSteps(
  value: unknown,
  from: AnyType,
  table: MemoryTable,
  column: TableColumn,
  frame: Frame,
  verifyLength: boolean = frame.host.options.ansiWarnings,
): Steps<unknown> {
  try {
    const kept = yield* convertSteps(value, from, column.type, howToFit(frame, verifyLength));
    return column.unpadded ? withoutPadding(kept) : kept;
  } catch (error) {
    throw tooLong(error, value, column, () => calledIn(table), frame);
  }
}

const calledIn = ({ database, schema, name }: MemoryTable): string => `${database}.${schema}.${name}`;

const howToFit = ({ host }: Frame, verifyLength: boolean): ConvertOptions => ({
  implicit: true,
  expression: true,
  verifyLength,
  dateOrder: host.options.dateFormat,
});

/** A value converted to the type of a column: 2628 or 8152 if it is too long and this is verified. */
export function fitted(
  value: unknown,
  from: AnyType,
  column: Pick<TableColumn, 'name' | 'type'>,
  table: () => string,
  frame: Frame,
  verifyLength: boolean,
): unknown {
  try {
    return convert(value, from, column.type, howToFit(frame, verifyLength));
  } catch (error) {
    throw tooLong(error, value, column, table, frame);
  }
}

/** The error for a value that does not fit a column. */
function tooLong(
  error: unknown,
  value: unknown,
  { name, type }: Pick<TableColumn, 'name' | 'type'>,
  table: () => string,
  { host }: Frame,
): unknown {
  // From version 15 on, SQL Server names the column that was too short.
  const names = Number(host.server.version.split('.')[0]) >= 15;
  if (!(error instanceof SqlError) || error.number !== 8152 || !names) return error;
  return sqlError(2628, table(), name, String(value).slice(0, charactersOf(type)));
}

/** The column that a condition is about, if it is about one. */
function onlyColumn(condition: Condition, { columns }: MemoryTable): { readonly column?: string } {
  const named = namedColumns(condition);
  const [only, ...others] = columns.filter(({ name }) => named.has(fold(name)));
  return only === undefined || others.length > 0 ? {} : { column: only.name };
}

/** Fills and checks the rows of a table: defaults, computed columns, constraints. */
export class RowRules {
  readonly #table: MemoryTable;
  readonly #scope: SelectScope;
  readonly #defaults: readonly (Compiled | undefined)[];
  readonly #computed: Prepared<readonly (Compiled | undefined)[]>;
  readonly #checks: Prepared<readonly { readonly name: string; readonly column?: string; readonly test: Test }[]>;

  /** A bulk load ignores checks, unless its options say otherwise. */
  constructor(table: MemoryTable, context: Context, ignoresChecks = false) {
    this.#table = table;
    this.#scope = new SelectScope([memorySource(table, table.name)], undefined);
    const definitions: readonly ColumnDefinition[] = table.definition?.columns ?? [];
    this.#defaults = definitions.map(({ default: byDefault, type }) =>
      byDefault === undefined ? undefined : coerce(context.expression(byDefault, this.#scope), type, context),
    );
    this.#computed = context.prepared(() =>
      definitions.map(({ computed }) =>
        computed === undefined ? undefined : context.expression(computed, this.#scope),
      ),
    );
    this.#checks = context.prepared(() =>
      (table.definition?.checks ?? [])
        .filter(({ isDisabled }) => !isDisabled && !ignoresChecks)
        .map(({ name, condition }) => ({
          name: name ?? `CK__${table.name}`,
          ...onlyColumn(condition, table),
          test: context.condition(condition, this.#scope),
        })),
    );
  }

  defaultOf(column: number): unknown {
    const value = this.#defaults[column]?.evaluate(noRows) ?? null;
    return this.#table.columns[column]?.unpadded ? withoutPadding(value) : value;
  }

  hasDefault(column: number): boolean {
    return this.#defaults[column] !== undefined;
  }

  isComputed(column: number): boolean {
    return this.#computed.compiled[column] !== undefined;
  }

  /**
   * Fills computed columns and checks the row; 547 if a CHECK fails. Returns a promise if a value is so long that
   * others get their turn meanwhile.
   */
  finish(
    values: unknown[],
    statement: 'INSERT' | 'UPDATE' | 'ALTER TABLE',
  ): readonly unknown[] | Promise<readonly unknown[]> {
    const env = envOf([values], noRows);
    const fill = (): void =>
      this.#computed.compiled.forEach((compiled, at) => {
        if (compiled !== undefined) values[at] = compiled.evaluate(env);
      });
    const check = (): readonly unknown[] => {
      const broken = this.#checks.compiled.find(({ test }) => test(env) === false);
      if (broken === undefined) return values;
      const table = `${this.#table.schema}.${this.#table.name}`;
      const column = broken.column === undefined ? ['', '', ''] : [", column '", broken.column, "'"];
      throw sqlError(547, statement, 'CHECK', broken.name, 'tempdb', table, ...column);
    };
    const whenFilled = answered(this.#computed.pending, env)?.then(fill);
    if (whenFilled !== undefined) return whenFilled.then(() => answered(this.#checks.pending, env)).then(check);
    fill();
    return answered(this.#checks.pending, env)?.then(check) ?? check();
  }
}
