import { int } from '../../tds/types/index.ts';
import { collatedType } from '../../values/collated-type.ts';
import type {
  CheckDefinition,
  ColumnDefinition,
  DefaultDefinition,
  KeyDefinition,
  ReferenceDefinition,
  ReferentialAction,
  TableDefinition,
} from '../ast/table.ts';
import { checkText } from './check-text.ts';
import { dataType } from './data-type.ts';
import { defaultValue, inParentheses } from './default-value.ts';
import { given } from './given.ts';
import type { TokenStream } from './token-stream.ts';

/** Collects the elements of a table definition. */
interface Draft {
  readonly columns: ColumnDefinition[];
  readonly keys: KeyDefinition[];
  readonly checks: CheckDefinition[];
  readonly references: ReferenceDefinition[];
  readonly defaults: DefaultDefinition[];
}

/** The parenthesised body of CREATE TABLE and of a table variable. */
export function tableBody(cursor: TokenStream): TableDefinition {
  const definition = cursor.inParentheses(() => tableElements(cursor));
  if (definition.columns.length === 0) throw cursor.unexpected();
  return definition;
}

/** Columns and constraints that commas part. */
export function tableElements(cursor: TokenStream): TableDefinition {
  const draft = cursor.series('elements', withElement(cursor, emptyDraft()), (before) =>
    cursor.accept(',') ? withElement(cursor, before) : undefined,
  );
  const primary = new Set(
    draft.keys.filter((key) => key.primary).flatMap((key) => key.columns.map((name) => name.toLowerCase())),
  );
  // The columns of a primary key are implicitly NOT NULL; one declared NULL is refused when the table is created.
  const columns = draft.columns.map((column) =>
    primary.has(column.name.toLowerCase()) && column.nullableByDefault ? { ...column, nullable: false } : column,
  );
  return { ...draft, columns };
}

const emptyDraft = (): Draft => ({ columns: [], keys: [], checks: [], references: [], defaults: [] });

/** Adds an element once it has been read completely; after the last comma there may be none. */
function withElement(cursor: TokenStream, draft: Draft): Draft {
  if (cursor.is(')')) return draft;
  const added = emptyDraft();
  element(cursor, added);
  draft.columns.push(...added.columns);
  draft.keys.push(...added.keys);
  draft.checks.push(...added.checks);
  draft.references.push(...added.references);
  draft.defaults.push(...added.defaults);
  return draft;
}

const constraintWords = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN', 'INDEX', 'DEFAULT']);

function element(cursor: TokenStream, draft: Draft): void {
  if (cursor.isOneOf(constraintWords)) {
    tableConstraint(cursor, draft);
    return;
  }
  const name = cursor.name();
  if (cursor.accept('AS')) {
    const first = cursor.peek();
    const computed = cursor.expression();
    const computedText = inParentheses(cursor.textSince(first));
    const persisted = cursor.accept('PERSISTED') ? { isPersisted: true as const } : {};
    draft.columns.push({ name, type: int, nullable: true, computed, computedText, ...persisted });
    return;
  }
  column(cursor, draft, name);
}

function column(cursor: TokenStream, draft: Draft, name: string): void {
  let type = dataType(cursor);
  let nullable: boolean | undefined;
  let identity: ColumnDefinition['identity'];
  let byDefault: (ReturnType<typeof defaultValue> & { readonly name?: string; readonly fillsRows?: true }) | undefined;
  for (;;) {
    const constraint = cursor.accept('CONSTRAINT') ? { name: cursor.name() } : {};
    if (cursor.accept('NOT', 'NULL')) nullable = false;
    else if (cursor.accept('NULL')) nullable = true;
    else if (cursor.accept('COLLATE')) type = collatedType(type, cursor.name(), false);
    else if (cursor.accept('IDENTITY')) identity = identityOf(cursor);
    else if (cursor.accept('DEFAULT')) byDefault = { ...defaultValue(cursor), ...withValues(cursor), ...constraint };
    else if (cursor.accept('ROWGUIDCOL') || cursor.accept('SPARSE')) continue;
    else if (cursor.is('PRIMARY') || cursor.is('UNIQUE'))
      draft.keys.push({
        ...constraint,
        ...keyStart(cursor),
        ...ownOrListed(cursor, name),
        ...indexOptions(cursor),
      });
    else if (cursor.is('CHECK')) draft.checks.push({ ...constraint, ...check(cursor) });
    else if (cursor.is('REFERENCES') || cursor.accept('FOREIGN', 'KEY'))
      draft.references.push({ ...constraint, columns: [name], ...references(cursor) });
    else if ('name' in constraint) throw cursor.unexpected();
    else break;
  }
  draft.columns.push({
    name,
    type,
    nullable: identity === undefined && type.name !== 'timestamp' ? (nullable ?? true) : false,
    ...(nullable === undefined ? { nullableByDefault: true as const } : {}),
    ...given({ identity, default: byDefault?.value, defaultText: byDefault?.text, defaultName: byDefault?.name }),
    ...given({ fillsRows: byDefault?.fillsRows }),
  });
}

/**
 * A key after a column is the column's, or the table's if it lists columns: SQL Server allows the comma to be omitted.
 */
const ownOrListed = (cursor: TokenStream, name: string): SortedColumns =>
  cursor.is('(') ? sortedColumns(cursor) : { columns: [name] };

function identityOf(cursor: TokenStream): { seed: bigint; increment: bigint } {
  if (!cursor.is('(')) return { seed: 1n, increment: 1n };
  return cursor.inParentheses(() => {
    const seed = signedWhole(cursor);
    cursor.expect(',');
    return { seed, increment: signedWhole(cursor) };
  });
}

function signedWhole(cursor: TokenStream): bigint {
  const negative = cursor.accept('-');
  if (cursor.peek().kind !== 'integer' || cursor.peek().text.length > 40) throw cursor.unexpected();
  const value = BigInt(cursor.next().text);
  return negative ? -value : value;
}

/** PRIMARY KEY or UNIQUE, and CLUSTERED, of which only the catalog knows. */
function keyStart(cursor: TokenStream): Pick<KeyDefinition, 'primary' | 'clustered'> {
  const primary = cursor.accept('PRIMARY', 'KEY');
  if (!primary) cursor.expect('UNIQUE');
  return { primary, ...given({ clustered: clustered(cursor) }) };
}

/** CLUSTERED or NONCLUSTERED; undefined where neither is said. */
export function clustered(cursor: TokenStream): boolean | undefined {
  if (cursor.accept('CLUSTERED')) return true;
  return cursor.accept('NONCLUSTERED') ? false : undefined;
}

function check(cursor: TokenStream): Pick<CheckDefinition, 'condition' | 'text'> {
  cursor.expect('CHECK');
  return cursor.inParentheses(() => {
    const first = cursor.peek();
    const condition = cursor.condition();
    return { condition, text: checkText(condition, cursor.textSince(first)) };
  });
}

function tableConstraint(cursor: TokenStream, draft: Draft): void {
  const named = cursor.accept('CONSTRAINT') ? { name: cursor.name() } : {};
  if (cursor.is('PRIMARY') || cursor.is('UNIQUE')) {
    draft.keys.push({ ...named, ...keyStart(cursor), ...sortedColumns(cursor), ...indexOptions(cursor) });
  } else if (cursor.is('CHECK')) {
    draft.checks.push({ ...named, ...check(cursor) });
  } else if (cursor.accept('DEFAULT')) {
    const { value, text } = defaultValue(cursor);
    cursor.expect('FOR');
    draft.defaults.push({ ...named, column: cursor.name(), value, text, ...withValues(cursor) });
  } else if (cursor.accept('FOREIGN', 'KEY')) {
    draft.references.push({ ...named, columns: indexColumns(cursor), ...references(cursor) });
  } else throw cursor.unexpected();
}

const withValues = (cursor: TokenStream): { readonly fillsRows?: true } =>
  cursor.accept('WITH', 'VALUES') ? { fillsRows: true } : {};

/** `REFERENCES t (a, b) ON DELETE CASCADE ON UPDATE NO ACTION`. */
function references(cursor: TokenStream): Omit<ReferenceDefinition, 'name' | 'columns'> {
  cursor.expect('REFERENCES');
  const table = cursor.objectName();
  const referred = cursor.is('(') ? indexColumns(cursor) : [];
  let onDelete: ReferentialAction = 'no action';
  let onUpdate: ReferentialAction = 'no action';
  for (;;) {
    if (cursor.accept('ON', 'DELETE')) onDelete = action(cursor);
    else if (cursor.accept('ON', 'UPDATE')) onUpdate = action(cursor);
    else if (!cursor.accept('NOT', 'FOR', 'REPLICATION')) return { table, referred, onDelete, onUpdate };
  }
}

function action(cursor: TokenStream): ReferentialAction {
  if (cursor.accept('CASCADE')) return 'cascade';
  if (cursor.accept('SET', 'NULL')) return 'set null';
  if (cursor.accept('SET', 'DEFAULT')) return 'set default';
  cursor.expect('NO', 'ACTION');
  return 'no action';
}

/** The options of an index that have a value. */
const indexSettings = new Set([
  'PAD_INDEX',
  'FILLFACTOR',
  'SORT_IN_TEMPDB',
  'IGNORE_DUP_KEY',
  'STATISTICS_NORECOMPUTE',
  'STATISTICS_INCREMENTAL',
  'DROP_EXISTING',
  'ONLINE',
  'RESUMABLE',
  'MAX_DURATION',
  'ALLOW_ROW_LOCKS',
  'ALLOW_PAGE_LOCKS',
  'OPTIMIZE_FOR_SEQUENTIAL_KEY',
  'MAXDOP',
  'DATA_COMPRESSION',
]);

/** What may follow the columns of a key or index: of all its options only IGNORE_DUP_KEY changes anything in memory. */
export function indexOptions(cursor: TokenStream): { ignoresDuplicates?: true } {
  let ignores = false;
  if (cursor.accept('WITH')) {
    const bracketed = cursor.accept('(');
    do ignores = indexOption(cursor) || ignores;
    while (cursor.accept(','));
    if (bracketed) cursor.expect(')');
  }
  if (cursor.accept('ON')) cursor.name();
  return ignores ? { ignoresDuplicates: true } : {};
}

/** `NAME = value`, or the bare name as it was written of old; true for IGNORE_DUP_KEY that is on. */
function indexOption(cursor: TokenStream): boolean {
  if (!cursor.isOneOf(indexSettings)) throw cursor.unexpected();
  const { upper } = cursor.next();
  const value = cursor.accept('=') ? cursor.next().upper : 'ON';
  return upper === 'IGNORE_DUP_KEY' && value === 'ON';
}

type SortedColumns = Pick<KeyDefinition, 'columns' | 'descending'>;

/** `(a ASC, b DESC)`: all of them, and those that say DESC. */
export function sortedColumns(cursor: TokenStream): SortedColumns {
  const all = cursor.inParentheses(() => cursor.list(() => [cursor.name(), cursor.descending()] as const));
  const columns = all.map(([name]) => name);
  const descending = all.flatMap(([name, isDescending]) => (isDescending ? [name] : []));
  return descending.length === 0 ? { columns } : { columns, descending };
}

/** The same where the direction says nothing. */
export const indexColumns = (cursor: TokenStream): readonly string[] => sortedColumns(cursor).columns;
