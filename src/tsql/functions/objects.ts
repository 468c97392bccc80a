import { fold } from '../../base/text/collation.ts';
import * as t from '../../tds/types/index.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { databaseProperties, ownProperties } from './database-property.ts';
import { simple } from './define.ts';
import { fixedPrincipals } from './fixed-principals.ts';
import { databaseNamed, findById, findByName, kindOf } from './object-facts.ts';

const databaseOf = (context: Context, id: unknown): string | undefined =>
  id === undefined ? undefined : context.known.databases.find((entry) => entry.id === Number(id))?.name;

const builtInSchemas = ['dbo', 'guest', 'INFORMATION_SCHEMA', 'sys'];

/** Each fixed role of a database has a schema of its name and number. */
const roleSchemas: ReadonlyMap<number, string> = new Map(
  Object.entries(fixedPrincipals).flatMap(([name, id]) => (id >= 16384 ? [[id, name] as const] : [])),
);

/** The schemas of the current database, in the order of their ids, which begin at 1. */
function schemasOf(context: Context): readonly string[] {
  const { host } = context.frame;
  const isTemporary = fold(host.database) === 'tempdb';
  const made = isTemporary ? [...host.tempDb.schemas.values()].map(({ schema }) => schema) : [];
  const extended = kindOf(context, host.database)?.procedures.some(({ schema }) => schema !== undefined);
  return [...builtInSchemas, ...(extended ? ['granary'] : []), ...made];
}

function databaseProperty(context: Context, name: string, property: string): TypedValue | null {
  const database = databaseNamed(context, name);
  if (database === undefined) return null;
  const own = ownProperties(database.isSuspect === true, kindOf(context, name)?.name ?? '');
  return own[property.toLowerCase()] ?? databaseProperties[property.toLowerCase()] ?? null;
}

/** The functions about databases and what is in them. */
export const objectFunctions: Readonly<Record<string, FunctionSpec>> = {
  DB_NAME: simple('int?', t.nvarchar(128), ([id], context) =>
    id === undefined ? context.frame.host.database : (databaseOf(context, id) ?? null),
  ),
  DB_ID: simple(
    'name?',
    t.smallint,
    ([name], context) => databaseNamed(context, String(name ?? context.frame.host.database))?.id ?? null,
  ),
  OBJECT_ID: simple('text, text?', t.int, ([name, type], context) =>
    findByName(context, String(name), type === undefined ? undefined : String(type)),
  ),
  OBJECT_NAME: simple(
    'int, int?',
    t.nvarchar(128),
    ([id, database], context) => findById(context, Number(id), databaseOf(context, database))?.name ?? null,
  ),
  OBJECT_SCHEMA_NAME: simple(
    'int, int?',
    t.nvarchar(128),
    ([id, database], context) => findById(context, Number(id), databaseOf(context, database))?.schema ?? null,
  ),
  SCHEMA_NAME: simple(
    'int?',
    t.nvarchar(128),
    ([id], context) => schemasOf(context)[Number(id ?? 1) - 1] ?? roleSchemas.get(Number(id)) ?? null,
  ),
  SCHEMA_ID: simple('name?', t.int, ([name], context) => {
    const wanted = fold(String(name ?? 'dbo'));
    const role = [...roleSchemas].find(([, schema]) => schema === wanted)?.[0];
    return schemasOf(context).findIndex((schema) => fold(schema) === wanted) + 1 || (role ?? null);
  }),
  HAS_DBACCESS: simple('name', t.int, ([name], context) => {
    if (databaseNamed(context, String(name)) === undefined) return null;
    return context.known.accessible.has(fold(String(name))) ? 1 : 0;
  }),
  DATABASEPROPERTYEX: simple('name, name', t.sqlVariant, ([name, property], context) =>
    databaseProperty(context, String(name), String(property)),
  ),
  // The older form of it, for what is on, off or a number.
  DATABASEPROPERTY: simple('name, name', t.int, ([name, property], context) => {
    const found = databaseProperty(context, String(name), String(property));
    return typeof found?.value === 'number' ? found.value : null;
  }),
  GETANSINULL: simple('name?', t.smallint, () => 1),
  // No database tracks changes.
  CHANGE_TRACKING_CURRENT_VERSION: simple('', t.bigint, () => null),
  ORIGINAL_DB_NAME: simple('', t.nvarchar(128), (_, context) => context.frame.host.database),
};
