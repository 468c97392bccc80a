import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { Unsupported } from '../../syntax/ast/statement.ts';
import type { Frame } from '../frame.ts';

/** What a statement is told that there is not here; for options of tempdb SQL Server has a number of its own. */
export function refusal({ what, set }: Unsupported, { host }: Frame): SqlError {
  if (set !== undefined && fold(set.database ?? host.database) === 'tempdb')
    return sqlError(5058, set.option, 'tempdb');
  return sqlError(40514, what);
}
