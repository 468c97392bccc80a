import { byName } from '../../base/by-name.ts';
import type {
  CreateIndex,
  CreateProcedure,
  Drop,
  DropIndex,
  DroppedPart,
  ProcedureParameter,
  Statement,
} from '../ast/statement.ts';
import { parameterType } from './data-type.ts';
import { defaultValue } from './default-value.ts';
import { filterText } from './filter-text.ts';
import { given } from './given.ts';
import { alteredLogin, createdLogin } from './login.ts';
import { clustered, indexColumns, indexOptions, sortedColumns, tableBody, tableElements } from './table.ts';
import type { TokenStream } from './token-stream.ts';
import { view } from './view.ts';

/** CREATE TABLE, INDEX, PROCEDURE, VIEW, DATABASE or LOGIN; other objects are refused when the statement runs. */
export function create(cursor: TokenStream, line: number): Statement {
  const isFirst = cursor.position === 0;
  cursor.expect('CREATE');
  if (cursor.accept('TABLE')) return createTable(cursor, line);
  const orAlter = cursor.accept('OR', 'ALTER');
  if (cursor.is('PROCEDURE') || cursor.is('PROC')) return { ...createProcedure(cursor, line, false), orAlter };
  if (cursor.is('VIEW')) return view(cursor, line, { alter: false, orAlter, isFirst });
  if (orAlter) return unsupported(cursor, line, 'CREATE');
  if (cursor.is('INDEX') || cursor.is('UNIQUE') || cursor.is('CLUSTERED') || cursor.is('NONCLUSTERED'))
    return createIndex(cursor, line);
  if (cursor.accept('DATABASE')) return createDatabase(cursor, line);
  if (cursor.accept('SCHEMA')) return createSchema(cursor, line);
  if (cursor.is('TYPE')) return createType(cursor, line);
  if (cursor.accept('LOGIN')) return createdLogin(cursor, line);
  return unsupported(cursor, line, 'CREATE');
}

export function alter(cursor: TokenStream, line: number): Statement {
  const isFirst = cursor.position === 0;
  cursor.expect('ALTER');
  if (cursor.is('VIEW')) return view(cursor, line, { alter: true, orAlter: false, isFirst });
  if (cursor.is('PROCEDURE') || cursor.is('PROC')) return createProcedure(cursor, line, true);
  if (cursor.is('TABLE')) return alterTable(cursor, line);
  if (cursor.accept('LOGIN')) return alteredLogin(cursor, line);
  if (cursor.is('DATABASE')) return alterDatabase(cursor, line);
  return unsupported(cursor, line, 'ALTER');
}

/** ALTER TABLE #t ADD, DROP COLUMN, DROP CONSTRAINT, ALTER COLUMN, CHECK or NOCHECK CONSTRAINT. */
function alterTable(cursor: TokenStream, line: number): Statement {
  cursor.expect('TABLE');
  const table = cursor.objectName();
  const at = { kind: 'alterTable', line, table } as const;
  const verifies = withCheck(cursor);
  if (cursor.accept('ADD'))
    return { ...at, action: 'add', definition: tableElements(cursor), verifies: verifies ?? true };
  if (cursor.accept('ALTER', 'COLUMN')) {
    const [column] = tableElements(cursor).columns;
    if (column === undefined) throw cursor.unexpected();
    return { ...at, action: 'alter column', column };
  }
  if (cursor.accept('DISABLE', 'TRIGGER', 'ALL') || cursor.accept('ENABLE', 'TRIGGER', 'ALL'))
    return { ...at, action: 'triggers' };
  const isEnabled = cursor.accept('CHECK', 'CONSTRAINT');
  if (isEnabled || cursor.accept('NOCHECK', 'CONSTRAINT')) {
    const names = cursor.accept('ALL') ? undefined : cursor.list(() => cursor.name());
    return {
      ...at,
      action: 'check constraints',
      isEnabled,
      verifies: isEnabled && verifies === true,
      ...given({ names }),
    };
  }
  cursor.expect('DROP');
  return { ...at, action: 'drop', dropped: droppedParts(cursor) };
}

/**
 * `COLUMN IF EXISTS a, b, CONSTRAINT c, d`: the word before a name also applies to the names after it; without a word,
 * they are constraints.
 */
function droppedParts(cursor: TokenStream): DroppedPart[] {
  const written = cursor.list(() => {
    const what = cursor.accept('COLUMN') ? 'column' : cursor.accept('CONSTRAINT') ? 'constraint' : undefined;
    return { what, ifExists: cursor.accept('IF', 'EXISTS'), name: cursor.name() } as const;
  });
  let last: Pick<DroppedPart, 'what' | 'ifExists'> = { what: 'constraint', ifExists: false };
  return written.map(({ what, ifExists, name }) => {
    last = what === undefined ? { ...last, ifExists: ifExists || last.ifExists } : { what, ifExists };
    return { ...last, name };
  });
}

/** WITH CHECK or WITH NOCHECK: whether existing rows must satisfy what follows; undefined if not given. */
function withCheck(cursor: TokenStream): boolean | undefined {
  if (!cursor.accept('WITH')) return undefined;
  if (cursor.accept('NOCHECK')) return false;
  cursor.expect('CHECK');
  return true;
}

/** What there is none of here, nor of a sort that is made otherwise. */
const objects = new Set([
  ...['AGGREGATE', 'ASSEMBLY', 'CERTIFICATE', 'CONTRACT', 'CREDENTIAL', 'DATABASE', 'DEFAULT', 'ENDPOINT', 'FUNCTION'],
  ...['LOGIN', 'QUEUE', 'ROLE', 'RULE', 'SCHEMA', 'SEQUENCE', 'SERVICE', 'STATISTICS', 'SYNONYM', 'TABLE', 'TRIGGER'],
  ...['TYPE', 'USER'],
]);
/** The same where it takes the next word to say what. */
const headsOfTwo = new Set([
  ...['ASYMMETRIC', 'COLUMN', 'COLUMNSTORE', 'EVENT', 'EXTERNAL', 'FULLTEXT', 'MASTER', 'PARTITION', 'SECURITY'],
  ...['SERVER', 'SPATIAL', 'SYMMETRIC', 'XML'],
]);

/**
 * A statement that only SQL Server supports: an error only when it is run. Its text extends to the end of the batch.
 */
function unsupported(cursor: TokenStream, line: number, verb: 'CREATE' | 'ALTER'): Statement {
  const isTwo = cursor.isOneOf(headsOfTwo);
  if (!isTwo && !cursor.isOneOf(objects)) throw cursor.unexpected();
  const words = [verb, cursor.next().upper, ...(isTwo && !cursor.atEnd ? [cursor.next().upper] : [])];
  cursor.skipRest();
  return { kind: 'unsupported', line, what: words.join(' ') };
}

/** ALTER DATABASE name SET option: no database has other options than the server gives it. */
function alterDatabase(cursor: TokenStream, line: number): Statement {
  cursor.expect('DATABASE');
  const name = cursor.accept('CURRENT') ? undefined : cursor.name();
  const option = cursor.accept('SET') && !cursor.atEnd ? cursor.next().upper : undefined;
  cursor.skipRest();
  const set = option === undefined ? {} : { set: { option, ...given({ database: name }) } };
  return { kind: 'unsupported', line, what: 'ALTER DATABASE', ...set };
}

function createTable(cursor: TokenStream, line: number): Statement {
  const name = cursor.objectName();
  const definition = tableBody(cursor);
  if (cursor.accept('ON')) cursor.name();
  if (cursor.accept('TEXTIMAGE_ON')) cursor.name();
  return { kind: 'createTable', line, name, definition };
}

function createIndex(cursor: TokenStream, line: number): Statement {
  const unique = cursor.accept('UNIQUE');
  const isClustered = clustered(cursor);
  cursor.expect('INDEX');
  const name = cursor.name();
  cursor.expect('ON');
  const table = cursor.objectName();
  const columns = sortedColumns(cursor);
  const included = cursor.accept('INCLUDE') ? indexColumns(cursor) : undefined;
  const where = cursor.accept('WHERE') ? filter(cursor, unique) : {};
  const facts = { ...columns, ...where, ...given({ included, clustered: isClustered }) };
  return { kind: 'createIndex', line, name, unique, table, ...facts, ...indexOptions(cursor) };
}

/**
 * WHERE of a filtered index. That of a unique one may only require NOT NULL: `a IS NOT NULL AND (b IS NOT NULL)`; that
 * of any other is only shown by the catalog.
 */
function filter(cursor: TokenStream, unique: boolean): Pick<CreateIndex, 'present' | 'filter'> {
  const first = cursor.peek();
  const present = unique ? presentColumns(cursor) : [];
  if (!unique) cursor.condition();
  return { present, filter: filterText(cursor.textSince(first)) };
}

function presentColumns(cursor: TokenStream): string[] {
  const columns: string[] = [];
  do {
    const bracketed = cursor.accept('(');
    columns.push(cursor.name());
    cursor.expect('IS');
    cursor.expect('NOT');
    cursor.expect('NULL');
    if (bracketed) cursor.expect(')');
  } while (cursor.accept('AND'));
  return columns;
}

function createDatabase(cursor: TokenStream, line: number): Statement {
  const name = cursor.name();
  if (cursor.accept('COLLATE')) cursor.name();
  return { kind: 'createDatabase', line, name };
}

/** CREATE TYPE … AS TABLE; names for other types are refused when the statement runs. */
function createType(cursor: TokenStream, line: number): Statement {
  cursor.expect('TYPE');
  const name = cursor.objectName();
  if (cursor.accept('AS', 'TABLE')) return { kind: 'createType', line, name, definition: tableBody(cursor) };
  cursor.skipRest();
  return { kind: 'unsupported', line, what: 'CREATE TYPE' };
}

/** What else CREATE SCHEMA may make or grant along with it is not taken. */
function createSchema(cursor: TokenStream, line: number): Statement {
  const name = cursor.name();
  if (cursor.accept('AUTHORIZATION')) cursor.name();
  return { kind: 'createSchema', line, name };
}

/** The body of a procedure is the rest of the batch. */
function createProcedure(cursor: TokenStream, line: number, isAlter: boolean): CreateProcedure {
  const text = cursor.textFrom(cursor.next());
  const name = cursor.objectName();
  return cursor.withVariables(() => {
    const params = parameters(cursor);
    if (cursor.accept('WITH')) {
      do cursor.next();
      while (!cursor.is('AS') && !cursor.atEnd);
    }
    cursor.expect('AS');
    const body = cursor.series<Statement[]>('body', [], (before) => {
      while (cursor.accept(';'));
      if (cursor.atEnd) return undefined;
      before.push(cursor.statement());
      return before;
    });
    if (body.length === 0) throw cursor.unexpected();
    return { kind: 'createProcedure', line, name, alter: isAlter, text, params, body };
  });
}

function parameters(cursor: TokenStream): ProcedureParameter[] {
  const params: ProcedureParameter[] = [];
  const bracketed = cursor.accept('(');
  while (cursor.peek().kind === 'variable') {
    params.push(parameter(cursor));
    if (!cursor.accept(',')) break;
  }
  if (bracketed) cursor.expect(')');
  return params;
}

function parameter(cursor: TokenStream): ProcedureParameter {
  const token = cursor.next();
  const type = parameterType(cursor, token);
  const byDefault = cursor.accept('=') ? defaultValue(cursor).value : undefined;
  const output = cursor.accept('OUTPUT') || cursor.accept('OUT');
  return { name: token.text, type, output, ...(byDefault === undefined ? {} : { default: byDefault }) };
}

const dropped: Readonly<Record<string, Exclude<Drop['what'], 'other'>>> = byName({
  TABLE: 'table',
  PROCEDURE: 'procedure',
  PROC: 'procedure',
  VIEW: 'view',
  DATABASE: 'database',
  SCHEMA: 'schema',
  TYPE: 'type',
});

export function drop(cursor: TokenStream, line: number): Statement {
  cursor.expect('DROP');
  if (cursor.accept('LOGIN')) return { kind: 'login', line, action: 'drop', name: cursor.name(), mustChange: false };
  if (cursor.accept('INDEX')) return dropIndex(cursor, line);
  const word = cursor.next().upper;
  const what = dropped[word] ?? 'other';
  if (what === 'other' && !objects.has(word)) throw cursor.unexpected();
  const ifExists = cursor.accept('IF', 'EXISTS');
  const names = cursor.list(() => cursor.objectName());
  return { kind: 'drop', line, what, type: what === 'other' ? word.toLowerCase() : what, names, ifExists };
}

/** `DROP INDEX a ON t, b ON u`, or as before 2005 `DROP INDEX t.a, u.b`. */
function dropIndex(cursor: TokenStream, line: number): Statement {
  const ifExists = cursor.accept('IF', 'EXISTS');
  return { kind: 'dropIndex', line, ifExists, indexes: cursor.list(() => droppedIndex(cursor)) };
}

function droppedIndex(cursor: TokenStream): DropIndex['indexes'][number] {
  const { name, schema, database } = cursor.objectName();
  const isOld = schema !== undefined && !cursor.is('ON');
  if (!isOld) cursor.expect('ON');
  const old = { name: schema ?? '', ...(database === undefined ? {} : { schema: database }) };
  const table = isOld ? old : cursor.objectName();
  indexOptions(cursor);
  return { name, table };
}

export function truncate(cursor: TokenStream, line: number): Statement {
  cursor.expect('TRUNCATE', 'TABLE');
  return { kind: 'truncate', line, table: cursor.objectName() };
}
