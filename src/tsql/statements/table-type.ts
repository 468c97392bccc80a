import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { CreateType } from '../../syntax/ast/statement.ts';
import { isTableType } from '../../tds/types/table-type.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import { createTable } from '../storage/create-table.ts';
import { mayMakeShared } from '../storage/object-place.ts';
import { type MadeType, shownType, typeNamed } from '../storage/table-types.ts';
import { type Completion, ended } from './completion.ts';
import { completed } from './table-definition.ts';
import { beginImplicitly } from './transaction.ts';

/**
 * CREATE TYPE … AS TABLE in tempdb, for administrators: 262 for others and elsewhere, 219 if there is one of that name.
 */
export async function runCreateType({ name, definition }: CreateType, frame: Frame): Promise<Completion> {
  const { host } = frame;
  const { tempDb, state } = host;
  if (!mayMakeShared(host) || fold(name.database ?? host.database) !== 'tempdb')
    throw sqlError(262, 'CREATE TYPE', host.database);
  const { schema = 'dbo' } = name;
  if (tempDb.placeOf(schema) === undefined) throw sqlError(2760, schema);
  if (typeNamed(name, host) !== undefined) throw sqlError(219, shownType(name));
  await beginImplicitly(frame);
  const whole = await completed(definition, frame);
  const made = { objectId: tempDb.newObjectId(), memory: tempDb.memory };
  const table = createTable({ name: name.name, definition: whole, ...made });
  const type: MadeType = { schema, name: name.name, id: tempDb.types.newId(), definition: whole, table };
  tempDb.types.add(type);
  state.undo.record(() => {
    tempDb.types.delete(type);
    table.free();
  });
  return ended(frame.sink, { command: 'other' });
}

/** DROP TYPE: 218 if there is none, 3732 while a procedure has a parameter of it. */
export function dropType(name: ObjectName, ifExists: boolean, host: Host): void {
  const { tempDb, state } = host;
  const type = mayMakeShared(host) ? typeNamed(name, host) : undefined;
  if (type === undefined && ifExists) return;
  if (type === undefined) throw sqlError(218, shownType(name));
  const user = procedureWith(type, host);
  if (user !== undefined) throw sqlError(3732, shownType(name), user);
  tempDb.types.delete(type);
  const undo = () => tempDb.types.add(type);
  if (state.undo.isActive) state.undo.record(undo, () => type.table.free());
  else type.table.free();
}

/** A procedure that has a parameter of a type. */
function procedureWith(type: MadeType, { tempDb }: Host): string | undefined {
  for (const { procedures } of tempDb.places) {
    for (const { name, definition } of procedures.values())
      if (definition.params.some((param) => isTableType(param.type) && tempDb.types.get(param.type.typeName) === type))
        return name;
  }
  return undefined;
}
