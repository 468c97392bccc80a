import { messages } from '../base/messages/messages.ts';
import { formatMessage, SqlError } from '../base/messages/sql-error.ts';

/** What is known about a duplicate key; SQLite does not report its values. */
export interface DuplicateKey {
  readonly primary: boolean;
  readonly table: string;
  readonly columns: readonly string[];
  readonly constraint?: string;
  /** The values as SQL Server writes them: `1, abc`. */
  readonly values?: string;
}

/** SqlError 2627: a row with this primary key or unique key already exists. */
export function duplicateKey(key: DuplicateKey, cause: unknown): SqlError {
  const kind = key.primary ? 'PRIMARY KEY' : 'UNIQUE KEY';
  const name = key.constraint ?? (key.primary ? `PK_${key.table}` : `UQ_${[key.table, ...key.columns].join('_')}`);
  const text = formatMessage(2627, [kind, name, `dbo.${key.table}`, `(${key.values})`]);
  // Without the values, the sentence about them is left out, as in SQL Server 2005.
  const short = text.replace(/ The duplicate key value is .*$/s, '');
  return violation(2627, key.values === undefined ? short : text, cause);
}

/** SqlError 547 for a row whose referenced row does not exist, or that other rows still reference. */
export function foreignKeyViolated(
  conflict: { readonly statement: string; readonly constraint?: string; readonly table?: string },
  cause: unknown,
): SqlError {
  const verb = verbOf(conflict.statement);
  const kind = verb === 'DELETE' ? 'REFERENCE' : 'FOREIGN KEY';
  const table = conflict.table ?? tableOf(conflict.statement);
  const text = formatMessage(547, [verb, kind, conflict.constraint ?? `FK_${table}`, '', `dbo.${table}`, '', '', '']);
  return violation(547, text.replace('database "", ', ''), cause);
}

/** SqlError 547 for a value that violates a check constraint. */
export function checkViolated(
  conflict: { readonly statement: string; readonly constraint: string; readonly table?: string },
  cause: unknown,
): SqlError {
  const table = conflict.table ?? tableOf(conflict.statement);
  const verb = verbOf(conflict.statement);
  const text = formatMessage(547, [verb, 'CHECK', conflict.constraint, '', `dbo.${table}`, '', '', '']);
  return violation(547, text.replace('database "", ', ''), cause);
}

/** SqlError 515: NULL in a column that does not allow it. */
export function nullRefused(
  refused: { readonly statement: string; readonly table: string; readonly column: string },
  cause: unknown,
): SqlError {
  const text = formatMessage(515, [refused.column, `dbo.${refused.table}`, verbOf(refused.statement)]);
  return violation(515, text, cause);
}

function violation(number: 2627 | 547 | 515, text: string, cause: unknown): SqlError {
  const { severity, state } = messages[number];
  return new SqlError(number, text, { severity, state, cause });
}

const changes = /\b(insert\s+(?:or\s+\w+\s+)?into|update|delete\s+from)\s+"?([\w$]+)"?/i;

function verbOf(statement: string): string {
  return (changes.exec(statement)?.[1] ?? 'MERGE').split(/\s/)[0]?.toUpperCase() ?? 'MERGE';
}

function tableOf(statement: string): string {
  return changes.exec(statement)?.[2] ?? '';
}
