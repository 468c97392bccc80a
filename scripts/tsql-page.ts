import { allKinds } from '../src/kinds.ts';
import type { AnyProcedure } from '../src/procedure/declare.ts';
import { describeParams } from '../src/procedure/describe.ts';
import { isStored, type Relation } from '../src/procedure/relation.ts';
import type { StatementWord } from '../src/syntax/parser/statement.ts';
import { systemProcedures } from '../src/system/procedures.ts';
import { systemRelations } from '../src/system/relations.ts';
import { aggregateNames } from '../src/tsql/functions/aggregate-names.ts';
import { functions } from '../src/tsql/functions/functions.ts';
import { globals } from '../src/tsql/functions/globals.ts';
import { specialProcedures } from '../src/tsql/procedures/resolve.ts';

/** What of each statement is understood; a statement without a line here does not compile. */
const statements: Readonly<Record<StatementWord, string>> = {
  ALTER: 'temporary tables: columns and constraints; logins: their passwords',
  BEGIN: '`BEGIN … END`, `BEGIN TRY … END TRY BEGIN CATCH … END CATCH`, `BEGIN TRANSACTION [name]`',
  BREAK: 'in a `WHILE`',
  CLOSE: 'a cursor',
  COMMIT: 'of a transaction',
  CONTINUE: 'in a `WHILE`',
  CREATE:
    'temporary tables, their indexes, and temporary procedures; schemas in tempdb; databases and logins, where the login may',
  DBCC: '`USEROPTIONS`, `TRACESTATUS`',
  DEALLOCATE: 'a cursor',
  DECLARE:
    'variables, with values; table variables; cursors, which are read-only copies of the rows at `OPEN` unless all of `FROM` are temporary tables: those can be changed `WHERE CURRENT OF` their cursor',
  DELETE: 'from temporary tables, table variables, and tables of a database that allow it',
  DROP: 'temporary tables, their indexes, and temporary procedures; schemas of tempdb; databases and logins, where the login may',
  EXEC: 'procedures by name or variable, with named or positional arguments, `OUTPUT`, `DEFAULT`; text',
  EXECUTE: 'as `EXEC`',
  FETCH: 'a row of a cursor, to the client or into variables, in every direction',
  GOTO: 'to a label of the batch',
  IF: 'with `ELSE`',
  INSERT:
    'into temporary tables, table variables, and tables of a database that allow it: values, a query, a procedure; `OUTPUT`; `INSERT BULK`',
  KILL: 'a session, by its number, for administrators',
  OPEN: 'a cursor; its rows are kept in memory, up to 64 MB a session',
  PRINT: 'a message to the client',
  RAISERROR: 'a text or a number, with arguments',
  RETURN: 'from a batch or a temporary procedure',
  ROLLBACK: 'of a transaction, or to a savepoint',
  SAVE: 'a savepoint',
  SELECT:
    'from the views below, temporary tables, table variables and values: joins, grouping, sets, CTEs, `TOP`, `FOR XML` (`RAW`, `AUTO`, `PATH`), `FOR JSON`',
  SET: 'variables, and the options that drivers set',
  THROW: 'an error, or the caught one again',
  TRUNCATE: 'a temporary table, or one of a database that allows it',
  UPDATE: 'temporary tables, table variables, and tables of a database that allow it',
  USE: 'a database',
  WAITFOR: '`DELAY` and `TIME`',
  WHILE: 'with `BREAK` and `CONTINUE`',
  WITH: 'common table expressions, recursive ones too',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');
const words = (names: Iterable<string>): string =>
  [...names]
    .sort()
    .map((name) => `\`${name}\``)
    .join(', ');

function procedureRow(declared: AnyProcedure): string {
  const names = [declared.name, ...(declared.aliases ?? [])].map((name) => `\`${name}\``).join(', ');
  const params = describeParams(declared).map(({ name, byDefault }) => (byDefault === undefined ? name : `[${name}]`));
  return `| ${names} | ${cell(params.join(', '))} | ${cell(declared.summary)} |`;
}

const views = systemRelations.filter(({ schema }) => schema !== 'dbo');
const viewRows = views.map(({ schema, name, columns }) => `| \`${schema}.${name}\` | ${Object.keys(columns).length} |`);

function tableCell(relation: Relation): string {
  const allowed = isStored(relation) && relation.changes !== undefined ? `: ${relation.changes.allow.join(', ')}` : '';
  return `\`${relation.name}\` (${Object.keys(relation.columns).join(', ')})${allowed}`;
}

/** docs/tsql.md: what clients may say in T-SQL, and what the catalog answers. */
export function tsqlPage(): string {
  return [
    '# T-SQL and the catalog',
    '',
    'Clients of Granary call procedures. What else they say in T-SQL, because a driver, a pool or a tool says it, is on this',
    'page. It is made from the code (`npm run docs`), and `npm test` fails when it is out of date.',
    '',
    'The data of a database is changed through its procedures only. Its tables (below) can be read; beside them there are the',
    'catalog views, and the temporary tables and table variables that a session makes for itself. Administrators may also make',
    'ordinary tables and procedures in tempdb: all sessions share them, and they are gone after a restart.',
    '',
    '## Statements',
    '',
    '| statement | what of it |',
    '|---|---|',
    ...Object.entries(statements).map(([word, what]) => `| \`${word}\` | ${cell(what)} |`),
    '',
    '## Functions',
    '',
    words(Object.keys(functions).filter((name) => !name.startsWith('.'))),
    '',
    'Methods of xml, with paths of steps, attributes and places: `exist()`, `value()`',
    '',
    `Aggregates: ${words(aggregateNames)}`,
    '',
    `Variables of the server: ${words(Object.keys(globals))}`,
    '',
    '## Procedures of SQL Server',
    '',
    'Every database offers these beside its own; all of them answer from the declarations and the state of the server, and',
    'none reads a table. A parameter in brackets may be left out. Names may carry `;1`, quotes and, where SQL Server takes',
    'them, `%`, `_` and `[]`; they compare without regard to case. `sp_executesql`, `sp_prepare` and their kin are the',
    "session's own.",
    '',
    '| procedure | parameters | what it does |',
    '|---|---|---|',
    ...systemProcedures.map(procedureRow),
    '',
    `The session itself answers ${words(specialProcedures.keys())}. A cursor that a driver opens so over temporary`,
    'tables alone is what it asks for: one with a keyset shows rows as they have become, a dynamic one leaves out those that',
    'are gone (it does not see those that were added after it was opened), and both change them. Over anything else it is a',
    'read-only copy, static or forward-only: the output values say what became of the wish, changes get error 16929, and',
    'all cursors of a session together may hold 64 MB.',
    '',
    '`sp_rename` is for tables that clients make in tempdb, their columns, indexes and constraints, and for columns and indexes of temporary',
    'tables. What checks, computed columns or foreign keys name keeps its name (15336), and what belongs to a protocol too (15247). The',
    'numbers and texts of its errors are from memory, not from a source.',
    '',
    'The locks of `sp_getapplock` are seen by all Granary nodes on one PostgreSQL; of a circle of waits over several one',
    'gets -3 after two or three seconds. They end with the transaction or the session that owns them, and with the node.',
    '',
    '## Tables of the databases',
    '',
    'The specifications define hardly any tables; these are named after their data models. Clients may change those that say',
    'so, with the role writer; all others change through the procedures. The tokens of users are not shown.',
    '',
    '| kind of database | tables |',
    '|---|---|',
    ...allKinds.map(({ name, relations }) => `| \`${name}\` | ${relations.map(tableCell).join('<br>')} |`),
    '',
    '## Views of the catalog',
    '',
    'Each has the columns of SQL Server, in its order. Views that begin with `sys.sys` answer under `dbo` as well.',
    '',
    '| view | columns |',
    '|---|--:|',
    ...viewRows,
    '',
  ].join('\n');
}
