import type { TsqlView } from '../procedure/relations/tsql-view.ts';
import { firstColumns, undeclaredVariables } from './describe-batch.ts';
import type { Host } from './host.ts';
import { innerBatch } from './inner-batch.ts';
import { clientObjects } from './storage/client-objects.ts';

/** The state of a session's T-SQL, for the system's procedures and views. */
export const viewOf = (host: Host, signal: AbortSignal): TsqlView => ({
  ...clientObjects([host.state, ...host.tempDb.places], host.tempDb.types.all),
  columns: (batch, declarations, isBrowsed) => firstColumns(host, batch, { declarations, isBrowsed }, signal),
  run: (database, batch, variables) => innerBatch(host, database, batch, variables, signal),
  undeclared: (batch, declarations) => undeclaredVariables(host, batch, declarations, signal),
});
