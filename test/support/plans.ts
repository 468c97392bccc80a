import type { Db } from '../../src/engine/db.ts';
import type { Sql } from '../../src/engine/sql.ts';
import { int, nvarchar } from '../../src/tds/types/index.ts';

const planLine = { id: int, parent: int, notused: int, detail: nvarchar('max') };

/** How SQLite would run a statement. */
export async function planOf(db: Db, statement: Sql): Promise<string[]> {
  const [first, ...rest] = statement.strings;
  const lines = await db.all(planLine, { ...statement, strings: [`explain query plan ${first}`, ...rest] });
  return lines.map(({ detail }) => detail);
}

/** How PostgreSQL has run a statement, with the rows of each step. */
export async function ranPlanOf(db: Db, statement: Sql): Promise<string[]> {
  const [first, ...rest] = statement.strings;
  const strings = [`explain (analyze, timing off) ${first}`, ...rest];
  const lines = await db.all({ 'QUERY PLAN': nvarchar('max') }, { ...statement, strings });
  return lines.map((line) => line['QUERY PLAN']);
}

/** A Db that notes every statement it runs. */
export function noting(db: Db, statements: Sql[]): Db {
  const note = (statement: Sql) => {
    statements.push(statement);
    return statement;
  };
  return {
    isHere: db.isHere === true,
    rows: (shape, query) => db.rows(shape, note(query)),
    batches: (shape, query, options) => db.batches(shape, note(query), options),
    all: (shape, query) => db.all(shape, note(query)),
    first: (shape, query) => db.first(shape, note(query)),
    run: (statement) => db.run(note(statement)),
    runAll: (statements) => db.runAll(statements.map(note)),
    insert: (...given) => db.insert(...given),
    load: (table, columns, batches) => db.load(table, columns, batches),
    truncate: (table) => db.truncate(table),
  };
}
