import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { TableDefinition } from '../../syntax/ast/table.ts';
import type { TableTypeName } from '../../tds/types/table-type.ts';
import type { Host } from '../host.ts';
import { createTable } from './create-table.ts';
import type { MemoryTable } from './memory-table.ts';

/** A table type that an administrator made in tempdb. */
export interface MadeType {
  readonly schema: string;
  readonly name: string;
  /** Its user_type_id. */
  readonly id: number;
  readonly definition: TableDefinition;
  /** A table of this type without rows: what the catalog has its columns of, and what holds its memory. */
  readonly table: MemoryTable;
}

/** The user_type_id of the first type that is not SQL Server's own. */
const firstId = 257;

/** The table types of tempdb, by their folded names; a restart removes them. */
export class TableTypes {
  readonly #all = new Map<string, MadeType>();
  #nextId = firstId;

  get all(): Iterable<MadeType> {
    return this.#all.values();
  }

  get({ schema, name }: TableTypeName): MadeType | undefined {
    return this.#all.get(keyOf(schema, name));
  }

  newId(): number {
    return this.#nextId++;
  }

  add(type: MadeType): void {
    this.#all.set(keyOf(type.schema, type.name), type);
  }

  delete({ schema, name }: MadeType): void {
    this.#all.delete(keyOf(schema, name));
  }
}

const keyOf = (schema = 'dbo', name: string): string => `${fold(schema)}.${fold(name)}`;

/** The table type of a name that is visible to a session. */
export const typeNamed = (name: TableTypeName, { tempDb, database }: Host): MadeType | undefined =>
  fold(name.database ?? database) === 'tempdb' ? tempDb.types.get(name) : undefined;

/** The table type of a variable or parameter, by the place of that: 2715 if there is none of that name. */
export function typeOf(name: TableTypeName, ordinal: number, host: Host): MadeType {
  const type = typeNamed(name, host);
  if (type === undefined) throw sqlError(2715, ordinal, shownType(name));
  return type;
}

export const shownType = ({ schema, name }: TableTypeName): string => (schema ? `${schema}.${name}` : name);

/** A variable of a table type, without rows. */
export const newVariable = (name: string, { definition }: MadeType, { state, memory }: Host): MemoryTable =>
  createTable({ name, definition, objectId: state.newObjectId(), memory });
