import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';

/** The SQL Server type that a TypeScript value resembles, for messages. */
function lookOf(value: unknown): string {
  if (typeof value === 'string') return 'nvarchar';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'bigint') return 'bigint';
  if (typeof value === 'boolean') return 'bit';
  if (value instanceof Date) return 'datetime';
  if (value instanceof Uint8Array) return 'varbinary';
  return 'sql_variant';
}

/** 8114: a value of another kind than the type requires. */
export const mismatch = (value: unknown, typeName: string): SqlError => sqlError(8114, lookOf(value), typeName);
