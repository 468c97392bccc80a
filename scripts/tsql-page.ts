import { allKinds } from '../src/kinds.ts';
import type { AnyProcedure } from '../src/procedure/declare.ts';
import { describeParams } from '../src/procedure/describe.ts';
import { isStored, type Relation } from '../src/procedure/relations/relation.ts';
import type { StatementWord } from '../src/syntax/parser/statement.ts';
import { systemProcedures } from '../src/system/procedures.ts';
import { systemRelations } from '../src/system/relations.ts';
import { aggregateNames } from '../src/tsql/functions/aggregate-names.ts';
import { functions } from '../src/tsql/functions/functions.ts';
import { globals } from '../src/tsql/functions/globals.ts';
import { specialProcedures } from '../src/tsql/procedures/resolve.ts';
import { tableFunctions } from '../src/tsql/query/tables/table-functions.ts';

/** What of each statement is understood; a statement without a line here does not compile. */
const statements: Readonly<Record<StatementWord, string>> = {
  ALTER: 'temporary tables: columns and constraints; views in tempdb; logins: their passwords',
  BEGIN: '`BEGIN … END`, `BEGIN TRY … END TRY BEGIN CATCH … END CATCH`, `BEGIN TRANSACTION [name]`',
  BREAK: 'in a `WHILE`',
  CLOSE: 'a cursor',
  COMMIT: 'a transaction',
  CONTINUE: 'in a `WHILE`',
  CREATE:
    'temporary tables, their indexes, and temporary procedures; schemas, table types and views in tempdb; databases and logins, if the login has the right',
  DBCC: '`USEROPTIONS`, `TRACESTATUS`',
  DEALLOCATE: 'a cursor',
  DECLARE:
    'variables, with values; table variables; cursors, which are read-only copies of the rows at `OPEN` unless `FROM` has only temporary tables: their rows can be changed with `WHERE CURRENT OF`',
  DELETE:
    'from temporary tables, table variables, and tables of a database that allow it, also through a CTE, derived table or view',
  DROP: 'temporary tables, their indexes, and temporary procedures; schemas, table types and views in tempdb; databases and logins, if the login has the right',
  EXEC: 'procedures by name or variable, with named or positional arguments, `OUTPUT`, `DEFAULT`; dynamic SQL',
  EXECUTE: 'same as `EXEC`',
  FETCH: 'a row from a cursor, to the client or into variables, in any direction',
  GOTO: 'a label in the batch',
  IF: 'with `ELSE`',
  INSERT:
    'into temporary tables, table variables, and tables of a database that allow it, also through a CTE or view: values, a query, a procedure; `OUTPUT`; `INSERT BULK`',
  KILL: 'a session by its number, for administrators',
  MERGE:
    'temporary tables and table variables, also through a CTE or view; `OUTPUT`, with `$action` and columns of the source',
  OPEN: 'a cursor; its rows are held in memory, up to 64 MB per session',
  PRINT: 'a message to the client',
  RAISERROR: 'a text or a number, with arguments',
  RETURN: 'from a batch or a temporary procedure',
  ROLLBACK: 'a transaction, or to a savepoint',
  SAVE: 'a savepoint',
  SELECT:
    'from the views below, temporary tables, table variables and values: joins, grouping, set operations, CTEs, `TOP`, `FOR XML` (`RAW`, `AUTO`, `PATH`), `FOR JSON`',
  SET: 'variables, and the options that drivers set',
  THROW: 'an error, or rethrow the caught one',
  TRUNCATE: 'a temporary table, or one of a database that allows it',
  UPDATE:
    'temporary tables, table variables, and tables of a database that allow it, also through a CTE, derived table or view',
  USE: 'a database',
  WAITFOR: '`DELAY` and `TIME`',
  WHILE: 'with `BREAK` and `CONTINUE`',
  WITH: 'common table expressions, including recursive ones',
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

/** docs/tsql.md: the T-SQL that clients can use, and the catalog. */
export function tsqlPage(): string {
  return [
    '# T-SQL and the catalog',
    '',
    'Clients of Granary call procedures. This page lists what else they can use of T-SQL, because drivers, connection pools',
    'and tools do. It is generated from the code (`npm run docs`), and `npm test` fails if it is out of date.',
    '',
    'The data of a database is changed through its procedures, and directly only in the tables that allow it (see below). All',
    'of its tables can be read, as can the catalog views and the temporary tables and table variables that a session creates.',
    'Administrators can also create ordinary tables, procedures and views in tempdb: all sessions share them, and a restart',
    'removes them.',
    '',
    '## Statements',
    '',
    '| statement | what is supported |',
    '|---|---|',
    ...Object.entries(statements).map(([word, what]) => `| \`${word}\` | ${cell(what)} |`),
    '',
    '## Functions',
    '',
    words(Object.keys(functions).filter((name) => !name.startsWith('.'))),
    '',
    'Methods of xml, with paths of steps, attributes and positions: `exist()`, `value()`',
    '',
    `Functions that stand in FROM: ${words(Object.keys(tableFunctions))}`,
    '',
    `Aggregates: ${words(aggregateNames)}`,
    '',
    `Server variables: ${words(Object.keys(globals))}`,
    '',
    '## System procedures',
    '',
    'Every database has these in addition to its own procedures. They are answered from the declarations and the state of the',
    'server, without reading a table. A parameter in brackets is optional. Names are case-insensitive and may contain `;1`,',
    'quotes and, where SQL Server accepts them, the wildcards `%`, `_` and `[]`.',
    '',
    '| procedure | parameters | what it does |',
    '|---|---|---|',
    ...systemProcedures.map(procedureRow),
    '',
    `The session itself implements ${words(specialProcedures.keys())}.`,
    'A cursor that a driver opens this way over temporary tables only is of the kind requested: a keyset cursor shows the',
    'current values of its rows, a dynamic one omits deleted rows (it does not see rows that were added after it was opened),',
    'and both can change them. Over anything else it is a read-only copy, static or forward-only: the output values say which',
    'kind it became, changes fail with error 16929, and all cursors of a session together can hold 64 MB.',
    '',
    '`sp_rename` works on views and tables that clients create in tempdb, the columns, indexes and constraints of such tables,',
    'and on columns and indexes of temporary tables. What checks, computed columns or views with SCHEMABINDING use cannot be',
    'renamed (15336), nor can anything that belongs to a protocol (15247). The numbers and texts of its errors are from memory,',
    'not from a source.',
    '',
    'The locks of `sp_getapplock` are shared by all Granary nodes on one PostgreSQL. In a deadlock across nodes, one waiter',
    'gets -3 after two or three seconds. A lock ends with the transaction or session that owns it, and with its node.',
    '',
    '## Tables',
    '',
    'The specifications define hardly any tables; these are named after their data models. Clients with the role writer can',
    'change those that list INSERT, UPDATE or DELETE; all others are changed through the procedures. User tokens are not shown.',
    '',
    '| kind of database | tables |',
    '|---|---|',
    ...allKinds.map(({ name, relations }) => `| \`${name}\` | ${relations.map(tableCell).join('<br>')} |`),
    '',
    '## Catalog views',
    '',
    'Each has the columns that SQL Server documents, in the same order. Views whose names begin with `sys.sys` are also available under `dbo`.',
    '',
    '| view | columns |',
    '|---|--:|',
    ...viewRows,
    '',
  ].join('\n');
}
