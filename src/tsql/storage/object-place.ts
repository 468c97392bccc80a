import { fold } from '../../base/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Host } from '../host.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import type { MemoryTable } from './memory-table.ts';

/** Where clients' own tables and procedures are kept, by folded name: the session, or tempdb. */
export interface ObjectPlace {
  readonly tables: Map<string, MemoryTable>;
  readonly procedures: Map<string, TemporaryProcedure>;
  newObjectId(): number;
}

/** The place of a name: the session's for `#t`, tempdb's for `##t` and for any name in tempdb; none for all others. */
export function placeOf({ database, name }: ObjectName, host: Host): ObjectPlace | undefined {
  if (name.startsWith('##')) return host.tempDb;
  if (name.startsWith('#')) return host.state;
  return fold(database ?? host.database) === 'tempdb' ? host.tempDb : undefined;
}

/** The same for what is to be made: ordinary names in tempdb are for administrators. */
export function placeToCreate(name: ObjectName, host: Host): ObjectPlace | undefined {
  return name.name.startsWith('#') || host.identity.isAdministrator ? placeOf(name, host) : undefined;
}

export const tableNamed = (name: ObjectName, host: Host): MemoryTable | undefined =>
  placeOf(name, host)?.tables.get(fold(name.name));

export const procedureNamed = (name: ObjectName, host: Host): TemporaryProcedure | undefined =>
  placeOf(name, host)?.procedures.get(fold(name.name));
