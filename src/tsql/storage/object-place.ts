import type { MapLike } from '../../base/late-map.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Host } from '../host.ts';
import type { TemporaryProcedure } from '../session-state.ts';
import { HeldMemory } from './held-memory.ts';
import type { MadeView } from './made-view.ts';
import type { MemoryTable } from './memory-table.ts';
import type { UndoLog } from './undo-log.ts';

/** Where clients' own tables, procedures and views are kept, by folded name: the session, or a schema of tempdb. */
export interface ObjectPlace {
  /** As it was made: `dbo` but for schemas that clients made. */
  readonly schema: string;
  readonly tables: MapLike<string, MemoryTable>;
  readonly procedures: MapLike<string, TemporaryProcedure>;
  readonly views: MapLike<string, MadeView>;
  newObjectId(): number;
}

/** The place of a name: the session's for `#t`, tempdb's for `##t` and for any name in tempdb; none for all others. */
export function placeOf({ database, schema, name }: ObjectName, host: Host): ObjectPlace | undefined {
  if (name.startsWith('##')) return host.tempDb;
  if (name.startsWith('#')) return host.state;
  return fold(database ?? host.database) === 'tempdb' ? host.tempDb.placeOf(schema) : undefined;
}

/** Whether a session may create and drop shared objects: an administrator's may, unless it is read-only. */
export const mayMakeShared = ({ identity }: Host): boolean => identity.isAdministrator && !identity.isReadOnly;

/** The same for what is to be dropped: ordinary names in tempdb are for administrators. */
export function placeToDrop(name: ObjectName, host: Host): ObjectPlace | undefined {
  if (name.name.startsWith('##') && host.identity.isReadOnly) return undefined;
  return name.name.startsWith('#') || mayMakeShared(host) ? placeOf(name, host) : undefined;
}

/** The same for a new object: 2760 if the schema does not exist. */
export function placeToCreate(name: ObjectName, host: Host): ObjectPlace | undefined {
  const place = placeToDrop(name, host);
  if (!mayMakeShared(host) || name.name.startsWith('#')) return place;
  const { schema } = name;
  if (place === undefined && schema !== undefined && isTempDb(name, host)) throw sqlError(2760, schema);
  return place;
}

const isTempDb = ({ database }: ObjectName, host: Host): boolean => fold(database ?? host.database) === 'tempdb';

/** True for a place that all sessions share: what is in it is locked before it is read or changed. */
export const isShared = (place: ObjectPlace | undefined, host: Host): boolean =>
  place !== undefined && place !== host.state;

/** The memory that the tables of a place take: the session's, or what outlives sessions. */
export const memoryFor = (place: ObjectPlace, host: Host): MemoryBudget =>
  isShared(place, host) ? host.tempDb.memory : host.memory;

/** The approximate memory of a procedure or view, and of the tree for each character of its text. */
const moduleOverhead = 1000;
const bytesPerCharacter = 40;

/** Takes the memory of a procedure or view with that text. */
export function takenForText(text: string, place: ObjectPlace, host: Host): HeldMemory {
  const memory = new HeldMemory(memoryFor(place, host));
  memory.take(moduleOverhead + text.length * bytesPerCharacter);
  return memory;
}

/** Removes a table, finally once the transaction is committed; `undo` restores it. */
export function replaced(log: UndoLog, undo: () => void, table: MemoryTable): void {
  if (log.isActive) log.record(undo, () => table.free());
  else table.free();
}

/** Replaces a table by a rebuilt one, with another name or the same. */
export function exchange(place: ObjectPlace, table: MemoryTable, copy: MemoryTable, log: UndoLog): void {
  const { tables } = place;
  copy.maker = table.maker;
  tables.delete(fold(table.name));
  tables.set(fold(copy.name), copy);
  const undo = () => {
    tables.delete(fold(copy.name));
    tables.set(fold(table.name), table);
    copy.free();
  };
  replaced(log, undo, table);
}

export const tableNamed = (name: ObjectName, host: Host): MemoryTable | undefined =>
  placeOf(name, host)?.tables.get(fold(name.name));

/** The table of the session or of tempdb that has an object_id. */
export function tableById(objectId: number, { state, tempDb }: Host): MemoryTable | undefined {
  for (const { tables } of [state, ...tempDb.places])
    for (const table of tables.values()) if (table.objectId === objectId) return table;
  return undefined;
}

export const viewNamed = (name: ObjectName, host: Host): MadeView | undefined =>
  placeOf(name, host)?.views.get(fold(name.name));

export const procedureNamed = (name: ObjectName, host: Host): TemporaryProcedure | undefined =>
  placeOf(name, host)?.procedures.get(fold(name.name));
