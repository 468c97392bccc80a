import { fold } from '../../base/collation.ts';
import type { Row } from '../../base/stored.ts';
import { lockLetters } from '../../procedure/app-locks.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bigint, int, nvarchar, smallint, uniqueidentifier, varbinary } from '../../tds/types/index.ts';
import { principalIdOf } from '../principals.ts';
import { databaseIds } from './session-columns.ts';
import { constant, view } from './view.ts';

const request = constant({
  request_reference_count: [smallint, 1],
  request_lifetime: [int, 0],
});
const owner = constant({
  request_owner_id: [orNull(bigint), 0n],
  request_owner_guid: [orNull(uniqueidentifier), null],
  request_owner_lockspace_id: [orNull(nvarchar(32)), null],
  lock_owner_address: [orNull(varbinary(8)), null],
});

const columns = {
  resource_type: nvarchar(60),
  resource_subtype: nvarchar(60),
  resource_database_id: int,
  resource_description: nvarchar(256),
  resource_associated_entity_id: orNull(bigint),
  resource_lock_partition: int,
  request_mode: nvarchar(60),
  request_type: nvarchar(60),
  request_status: nvarchar(60),
  ...request.columns,
  request_session_id: int,
  request_exec_context_id: int,
  request_request_id: int,
  request_owner_type: nvarchar(60),
  ...owner.columns,
} satisfies Columns;

/** SQL Server shows the first 32 characters of a resource's name. */
const shownCharacters = 32;
const publicId = 0;

/** The application locks, and who waits for the transaction of another; other locks of databases are not for clients to see. */
export const sysDmTranLocks = view('sys', 'dm_tran_locks', columns, async (call) => {
  const idOf = await databaseIds(call);
  const waits = (await call.server.waits()).filter(({ resource }) => !resource.startsWith('APPLICATION'));
  const waiting = waits.flatMap(({ spid, blockedBy, mode, resource, database }) => [
    lockOf(spid, 'WAIT', mode, resource, idOf(database)),
    lockOf(blockedBy, 'GRANT', mode, resource, idOf(database)),
  ]);
  return [...waiting, ...applicationLocks(call, idOf)];
});

/** One side of a wait. */
const lockOf = (
  session: number,
  status: 'GRANT' | 'WAIT',
  mode: string,
  resource: string,
  database: number,
): Row<typeof columns> => ({
  resource_type: resource.replace(/:.*/s, ''),
  resource_subtype: '',
  resource_database_id: database,
  resource_description: '',
  resource_associated_entity_id: 0n,
  resource_lock_partition: 0,
  request_mode: mode,
  request_type: 'LOCK',
  request_status: status,
  ...request.values,
  request_session_id: session,
  request_exec_context_id: 0,
  request_request_id: 0,
  request_owner_type: 'TRANSACTION',
  ...owner.values,
});

const applicationLocks = (call: SystemCall, idOf: (name: string) => number): Row<typeof columns>[] =>
  call.server.lockEntries().map(({ resource, owner: of, mode, status }) => {
    const principal = fold(resource.principal) === 'public' ? publicId : principalIdOf(resource.principal);
    return {
      resource_type: 'APPLICATION',
      resource_subtype: '',
      resource_database_id: idOf(resource.database),
      resource_description: `${principal}:[${resource.name.slice(0, shownCharacters)}]`,
      resource_associated_entity_id: 0n,
      resource_lock_partition: 0,
      request_mode: lockLetters[mode],
      request_type: 'LOCK',
      request_status: status === 'granted' ? 'GRANT' : 'WAIT',
      ...request.values,
      request_session_id: of.spid,
      request_exec_context_id: 0,
      request_request_id: 0,
      request_owner_type: of.scope.toUpperCase(),
      ...owner.values,
    };
  });
