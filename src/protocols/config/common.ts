import { sqlError } from '../../base/sql-error.ts';
import { optionalOutput } from '../../procedure/param.ts';
import { uniqueidentifier } from '../../tds/types/index.ts';

/** Closes the parameter list of nearly every procedure of this protocol; the server hands it back as it came. */
export const RequestGuid = optionalOutput(
  uniqueidentifier,
  'An identifier of the request for the logs; handed back unchanged.',
);

/** The GUID that stands for "none". */
export const emptyGuid = '00000000-0000-0000-0000-000000000000';

/** Returns a value that is about to be stored, or throws error 515 where it is NULL and the column refuses NULL. */
export function notNull<T>(
  value: T | null,
  column: string,
  table: string,
  statement: 'INSERT' | 'UPDATE' = 'INSERT',
): T {
  if (value === null) throw sqlError(515, column, `dbo.${table}`, statement);
  return value;
}
