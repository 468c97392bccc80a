import { fold } from '../../base/collation.ts';
import type { LockMode } from '../../procedure/app-locks.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { bigint, int, nvarchar, smallint, uniqueidentifier, varbinary } from '../../tds/types/index.ts';
import { principalIdOf } from '../principals.ts';
import { databaseIds } from './session-columns.ts';
import { constant, view } from './view.ts';

/** The letters that SQL Server shows for the modes. */
export const lockLetters: Readonly<Record<LockMode, string>> = {
  IntentShared: 'IS',
  Shared: 'S',
  Update: 'U',
  IntentExclusive: 'IX',
  Exclusive: 'X',
};

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

/** The application locks; the locks of the databases underneath are not for clients to see. */
export const sysDmTranLocks = view('sys', 'dm_tran_locks', columns, async (call) => {
  const idOf = await databaseIds(call);
  return call.server.locks.list().map(({ resource, owner: of, mode, status }) => {
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
});
