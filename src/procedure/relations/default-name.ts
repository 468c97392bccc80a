import { objectId } from '../describe.ts';

/** A table, as far as the names of what it has need it. */
interface Table {
  readonly schema: string;
  readonly name: string;
}

/** A column, as far as the name of its default needs it. */
interface Column {
  readonly name: string;
  /** The name that it was given. */
  readonly defaultName?: string | undefined;
}

/** The name that a column's default has in the catalog: its own, or one made as SQL Server makes names. */
export function defaultNameOf({ schema, name }: Table, { name: column, defaultName }: Column): string {
  if (defaultName !== undefined) return defaultName;
  const number = (objectId(schema, `${name} ${column}`) >>> 0).toString(16).toUpperCase().padStart(8, '0');
  return `DF__${name.slice(0, 9)}__${column.slice(0, 5)}__${number}`;
}

/** The object_id of a column's default; 0 for none. */
export const defaultIdOf = (of: Table, column: Column & { readonly byDefault?: string | undefined }): number =>
  column.byDefault === undefined ? 0 : objectId(of.schema, defaultNameOf(of, column));
