import type { DatabaseSync } from 'node:sqlite';

/** Statements that iterate over rows; others never take long. */
const looking = /^\s*(?:select|with|insert|update|delete|replace)\b/i;

/** What SQLite's query plans reveal about statements and tables. */
export class Plans {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** True unless every loop of the statement is over the one row of a key. */
  mayBeLong(text: string): boolean {
    if (!looking.test(text)) return false;
    const steps = this.#database.prepare(`explain query plan ${text}`).all();
    // A delete of all rows truncates the table page by page and has no plan.
    if (steps.length === 0) return /^\s*delete\b/i.test(text);
    return steps.some(({ detail }) => /^(?:SCAN|SEARCH) /.test(String(detail)) && !this.#isByKey(String(detail)));
  }

  /** A column that identifies the rows of a table; undefined for anything that is not a table of the file. */
  keyColumn(table: string): string | undefined {
    const found = this.#database
      .prepare("select wr as bare from pragma_table_list where schema = 'main' and type = 'table' and lower(name) = ?")
      .get(table);
    if (found === undefined) return undefined;
    return found['bare'] === 0 ? 'rowid' : this.#keyColumns(table)[0];
  }

  #isByKey(detail: string): boolean {
    if (/^SCAN CONSTANT ROW$|USING INTEGER PRIMARY KEY \(rowid=\?\)$/.test(detail)) return true;
    const step = /^SEARCH (\S+) USING (?:(?:COVERING )?INDEX (\S+)|PRIMARY KEY) \(([^<>]*)\)$/.exec(detail);
    if (step === null) return false;
    const [, table = '', index, given = ''] = step;
    const count = given.split(' AND ').length;
    return index === undefined ? this.#keyColumns(table).length === count : this.#columnsOfUnique(index) === count;
  }

  #keyColumns(table: string): string[] {
    const columns = this.#database.prepare('select name from pragma_table_info(?) where pk > 0 order by pk').all(table);
    return columns.map(({ name }) => `"${String(name)}"`);
  }

  /** The number of columns of a unique index; undefined for any other index. */
  #columnsOfUnique(index: string): number | undefined {
    const found = this.#database
      .prepare(
        `select (select count(*) from pragma_index_info(i.name)) as columns from sqlite_schema s
        join pragma_index_list(s.tbl_name) i on i.name = s.name
        where s.type = 'index' and s.name = ? and i."unique" = 1`,
      )
      .get(index);
    return found === undefined ? undefined : Number(found['columns']);
  }
}
