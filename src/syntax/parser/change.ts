import type { Cte, Select } from '../ast/query.ts';
import type { Insert, InsertBulk, OutputClause, Statement, Target, Update, UpdateItem } from '../ast/statement.ts';
import { cursorName } from './cursor-statement.ts';
import { dataType } from './data-type.ts';
import { execute } from './execute.ts';
import { fromItems } from './from.ts';
import { given } from './given.ts';
import { columnNames } from './lists.ts';
import { assignmentOperator, optionClause, selectItems, topClause } from './query.ts';
import type { TokenStream } from './token-stream.ts';

/** A table, a table variable, or an alias that FROM explains. */
export function target(cursor: TokenStream): Target {
  const found = cursor.peek().kind === 'variable' ? { variable: cursor.variable('table') } : cursor.objectName();
  if (cursor.is('WITH', '(')) skipHints(cursor);
  return found;
}

function skipHints(cursor: TokenStream): void {
  cursor.expect('WITH', '(');
  while (!cursor.accept(')')) {
    if (cursor.atEnd) throw cursor.unexpected();
    cursor.next();
  }
}

/** INSERT [INTO] target (columns) VALUES, SELECT, EXEC or DEFAULT VALUES; INSERT BULK. */
export function insert(cursor: TokenStream, line: number, ctes: readonly Cte[]): Insert | InsertBulk {
  cursor.expect('INSERT');
  if (cursor.accept('BULK')) return insertBulk(cursor, line);
  const top = topClause(cursor);
  cursor.accept('INTO');
  const into = target(cursor);
  const isColumnList =
    cursor.is('(') &&
    cursor.peek(1).upper !== 'SELECT' &&
    cursor.peek(1).upper !== '(' &&
    cursor.peek(1).upper !== 'WITH';
  const columns = isColumnList ? insertColumns(cursor) : [];
  const output = outputClause(cursor);
  const source = insertSource(cursor);
  return { kind: 'insert', line, with: ctes, target: into, columns, source, ...given({ top, output }) };
}

/** `(a, t.b, dbo.t.c)`: the table is given already, so everything before the last part is ignored. */
export function insertColumns(cursor: TokenStream): string[] {
  const column = () => {
    let name = cursor.name();
    while (cursor.accept('.')) name = cursor.name();
    return name;
  };
  return cursor.inParentheses(() => cursor.list(column));
}

function insertSource(cursor: TokenStream): Insert['source'] {
  if (cursor.accept('DEFAULT', 'VALUES')) return 'default values';
  if (cursor.is('EXEC') || cursor.is('EXECUTE')) return execute(cursor, cursor.line);
  return cursor.query();
}

/** INSERT BULK t (a int, b nvarchar(50) COLLATE x) WITH (…): the rows come in a message of their own. */
function insertBulk(cursor: TokenStream, line: number): InsertBulk {
  const table = cursor.objectName();
  const column = () => {
    const name = cursor.name();
    const type = dataType(cursor);
    const collation = cursor.accept('COLLATE') ? { collation: cursor.name() } : {};
    if (!cursor.accept('NOT', 'NULL')) cursor.accept('NULL');
    return { name, type, ...collation };
  };
  const columns = cursor.inParentheses(() => cursor.list(column));
  return { kind: 'insertBulk', line, target: table, columns, ...bulkOptions(cursor) };
}

/** WITH (KEEP_NULLS, ROWS_PER_BATCH = 100, ORDER (a ASC, b DESC)). */
function bulkOptions(cursor: TokenStream): Pick<InsertBulk, 'options' | 'order'> {
  const options: string[] = [];
  const order: InsertBulk['order'][number][] = [];
  if (!cursor.accept('WITH')) return { options, order };
  cursor.expect('(');
  do {
    if (cursor.accept('ORDER')) order.push(...bulkOrder(cursor));
    else {
      if (cursor.peek().kind !== 'word') throw cursor.unexpected();
      options.push(cursor.next().upper);
      if (cursor.accept('=')) cursor.next();
    }
  } while (cursor.accept(','));
  cursor.expect(')');
  return { options, order };
}

function bulkOrder(cursor: TokenStream): InsertBulk['order'][number][] {
  const column = () => ({ column: cursor.name(), descending: cursor.descending() });
  return cursor.inParentheses(() => cursor.list(column));
}

export function outputClause(cursor: TokenStream): OutputClause | undefined {
  if (!cursor.accept('OUTPUT')) return undefined;
  const items: Select = { kind: 'select', distinct: false, items: selectItems(cursor), from: [], groupBy: [] };
  if (!cursor.accept('INTO')) return { items };
  const into = target(cursor);
  return cursor.is('(') ? { items, into, columns: columnNames(cursor) } : { items, into };
}

export function update(cursor: TokenStream, line: number, ctes: readonly Cte[]): Statement {
  cursor.expect('UPDATE');
  const top = topClause(cursor);
  const into = target(cursor);
  cursor.expect('SET');
  const assignments = cursor.list(() => assignment(cursor));
  const output = outputClause(cursor);
  const from = cursor.accept('FROM') ? fromItems(cursor) : [];
  const clauses = { from, ...given({ top, output }), ...whereClause(cursor) };
  optionClause(cursor);
  return { kind: 'update', line, with: ctes, target: into, assignments, ...clauses };
}

/** WHERE condition, or WHERE CURRENT OF cursor. */
function whereClause(cursor: TokenStream): Pick<Update, 'where' | 'current'> {
  if (cursor.accept('WHERE', 'CURRENT', 'OF')) return { current: cursorName(cursor) };
  return cursor.accept('WHERE') ? { where: cursor.condition() } : {};
}

export function assignment(cursor: TokenStream): UpdateItem {
  if (cursor.peek().kind === 'variable')
    return { variable: cursor.variable(), ...assignmentOperator(cursor), value: cursor.expression() };
  const column = cursor.parts().at(-1) ?? '';
  const operator = assignmentOperator(cursor);
  return { column, ...operator, value: cursor.accept('DEFAULT') ? 'default' : cursor.expression() };
}

export function deleteStatement(cursor: TokenStream, line: number, ctes: readonly Cte[]): Statement {
  cursor.expect('DELETE');
  const top = topClause(cursor);
  cursor.accept('FROM');
  const into = target(cursor);
  const output = outputClause(cursor);
  const from = cursor.accept('FROM') ? fromItems(cursor) : [];
  const clauses = { from, ...given({ top, output }), ...whereClause(cursor) };
  optionClause(cursor);
  return { kind: 'delete', line, with: ctes, target: into, ...clauses };
}
