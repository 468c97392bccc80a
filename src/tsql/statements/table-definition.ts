import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { ColumnDefinition, TableDefinition } from '../../syntax/ast/table.ts';
import { walk } from '../../syntax/ast/walk.ts';
import { isUnpadded } from '../../values/padding.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import { SelectScope } from '../query/scope.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import { type ObjectPlace, placeToCreate } from '../storage/object-place.ts';

/** A definition completed by the session's options and by the types of computed columns. */
export async function completed(definition: TableDefinition, frame: Frame): Promise<TableDefinition> {
  const settled = byOptions(definition, frame);
  if (hasSubquery(settled)) throw sqlError(1046);
  if (!settled.columns.some(({ computed }) => computed !== undefined)) return settled;
  const context = await StatementContext.of(frame, settled);
  // A computed column may use any column but another computed one.
  const plain = settled.columns.filter(({ computed }) => computed === undefined);
  const scope = new SelectScope([{ alias: fold(''), columns: plain }], undefined);
  const columns = settled.columns.map((column) =>
    column.computed === undefined ? column : { ...column, type: context.expression(column.computed, scope).type },
  );
  return { ...settled, columns };
}

/** Where a new table goes: 262 if the session may not create one, 2714 if there is one of that name. */
export function placeOfNew(name: ObjectName, { host }: Frame): ObjectPlace {
  const place = placeToCreate(name, host);
  if (place === undefined) throw sqlError(262, 'CREATE TABLE', host.database);
  const key = fold(name.name);
  if (place.tables.has(key) || place.views.has(key)) throw sqlError(2714, name.name);
  return place;
}

/** Keeps a new table in its place, unless the transaction is undone. */
export async function keepTable(table: MemoryTable, place: ObjectPlace, frame: Frame): Promise<void> {
  const { state, tempDb, identity } = frame.host;
  const key = fold(table.name);
  if (place !== state) table.maker = identity.spid;
  place.tables.set(key, table);
  if (place === state) frame.created.push(key);
  else await tempDb.lock(table, 'change', frame.host, frame.signal);
  state.undo.record(() => {
    place.tables.delete(key);
    table.free();
  });
}

/** Defaults, computed columns and checks are of one row alone. */
function hasSubquery(definition: TableDefinition): boolean {
  let found = false;
  walk(definition, ({ kind }) => {
    found ||= kind === 'subquery' || kind === 'exists' || kind === 'inQuery' || kind === 'quantified';
    return !found;
  });
  return found;
}

/**
 * Without ANSI_NULL_DFLT_ON, a column that does not mention NULL does not allow it; ANSI_PADDING decides whether
 * padding is stored. What was decided when a column was made stays so, whatever ALTER TABLE does to others later.
 */
function byOptions(definition: TableDefinition, { host: { options } }: Frame): TableDefinition {
  const columns = definition.columns.map(({ nullableByDefault, ...column }): ColumnDefinition => {
    const nullable = nullableByDefault ? column.nullable && options.ansiNullDefaultOn : column.nullable;
    const unpadded = column.unpadded ?? isUnpadded(column.type, nullable, options);
    return { ...column, nullable, unpadded };
  });
  return { ...definition, columns };
}
