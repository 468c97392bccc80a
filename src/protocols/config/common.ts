import { sqlError } from '../../base/messages/sql-error.ts';
import { optionalOutput } from '../../procedure/param.ts';
import { uniqueidentifier } from '../../tds/types/index.ts';

/** The last parameter of nearly every procedure of this protocol; the server returns it unchanged. */
export const RequestGuid = optionalOutput(
  uniqueidentifier,
  'An identifier of the request for the logs; handed back unchanged.',
);

/** The GUID that means "none". */
export const emptyGuid = '00000000-0000-0000-0000-000000000000';

/** Returns a value to be stored; throws error 515 if it is NULL and the column does not allow NULL. */
export function notNull<T>(
  value: T | null,
  column: string,
  table: string,
  statement: 'INSERT' | 'UPDATE' = 'INSERT',
): T {
  if (value === null) throw sqlError(515, column, `dbo.${table}`, statement);
  return value;
}
