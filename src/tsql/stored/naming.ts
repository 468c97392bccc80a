import { formatMessage, SqlError } from '../../base/sql-error.ts';
import type { StoredRelation } from '../../procedure/relation.ts';

const duplicate =
  /^Violation of (?<kind>PRIMARY KEY|UNIQUE KEY) constraint '(?<name>[^']*)'\. .*?(?: The duplicate key value is \((?<values>.*)\)\.)?$/s;

/**
 * An error of the engine in the relation's terms: 2627 for a primary key or a unique constraint, 2601 for a unique
 * index. The tables underneath have names of their own, which nobody knows.
 */
export function inTermsOf(relation: StoredRelation, error: unknown): unknown {
  if (!(error instanceof SqlError) || error.number !== 2627) return error;
  const { kind, name = '', values } = duplicate.exec(error.message)?.groups ?? {};
  if (kind === undefined) return error;
  const object = `${relation.schema}.${relation.name}`;
  const isIndex = kind === 'UNIQUE KEY' && !/_key$|^UQ_/.test(name);
  const shown = `(${values})`;
  const text = isIndex
    ? formatMessage(2601, [object, name, shown])
    : formatMessage(2627, [
        kind,
        kind === 'PRIMARY KEY' ? `PK_${relation.name}` : `UQ_${relation.name}`,
        object,
        shown,
      ]);
  const told = values === undefined ? text.replace(/ The duplicate key value is .*$/s, '') : text;
  return new SqlError(isIndex ? 2601 : 2627, told, { severity: 14, cause: error });
}
