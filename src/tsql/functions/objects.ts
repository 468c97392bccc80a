import { fold } from '../../base/collation.ts';
import { defaultNameOf } from '../../procedure/default-name.ts';
import { objectId, schemaOf } from '../../procedure/describe.ts';
import type { Kind } from '../../procedure/kind.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import { isStored, type Relation } from '../../procedure/relation.ts';
import { keysOf } from '../../procedure/relation-keys.ts';
import type { DatabaseEntry } from '../../procedure/server-view.ts';
import { longestName } from '../../syntax/lexer/tokenize.ts';
import * as t from '../../tds/types/index.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { listedTable } from '../storage/client-objects.ts';
import { procedureNamed, tableNamed } from '../storage/object-place.ts';
import { databaseProperties, ownProperties } from './database-property.ts';
import { simple } from './define.ts';
import { fixedPrincipals } from './fixed-principals.ts';

/** An object of a database, as OBJECT_ID and its kin see it. */
interface Found {
  readonly id: number;
  readonly name: string;
  readonly schema: string;
  /** The one database that has it. */
  readonly database?: string;
}

function databaseNamed(context: Context, name: string): DatabaseEntry | undefined {
  if (name.length > longestName) return undefined;
  const wanted = fold(name);
  return context.known.databases.find((entry) => fold(entry.name) === wanted);
}

/** What the databases of a name offer. */
export function kindOf(context: Context, database: string): Kind | undefined {
  const entry = databaseNamed(context, database);
  return entry === undefined ? undefined : context.frame.host.server.kind(entry.kind);
}

/** The names of a table's keys and defaults, which are objects too. */
function constraintsOf(relation: Relation): readonly string[] {
  const keys = keysOf(relation).filter(({ kind }) => kind !== 'index');
  const stored = isStored(relation) ? Object.entries(relation.stored) : [];
  const defaults = stored.filter(([, { byDefault }]) => byDefault !== undefined);
  return [...keys.map(({ name }) => name), ...defaults.map(([column]) => defaultNameOf(relation, { name: column }))];
}

/** What a database has, each object once under every schema it is known by. */
function* objectsOf(kind: Kind): Generator<Found> {
  const found = (schema: string, name: string, database?: string): Found => ({
    id: objectId(schema, name),
    name,
    schema,
    ...(database === undefined ? {} : { database }),
  });
  for (const relation of kind.relations) {
    const { schema, name, database } = relation;
    yield found(schema, name, database);
    for (const each of constraintsOf(relation)) yield found(schema, each);
  }
  for (const procedure of kind.procedures) {
    const schema = schemaOf(procedure);
    for (const each of [procedure.name, ...(procedure.aliases ?? [])]) yield found(schema, each);
  }
}

/** The objects of a kind by number, and by folded name. */
interface Index {
  readonly byId: ReadonlyMap<number, Found>;
  readonly byName: ReadonlyMap<string, readonly Found[]>;
}

const indexes = new WeakMap<Kind, Index>();

function indexOf(kind: Kind): Index {
  const made = indexes.get(kind);
  if (made !== undefined) return made;
  const all = [...objectsOf(kind)];
  const index = {
    byId: new Map(all.map((each) => [each.id, each])),
    byName: Map.groupBy(all, ({ name }) => fold(name)),
  };
  indexes.set(kind, index);
  return index;
}

/** The object_id of a name of one to three parts. */
export function findByName(context: Context, text: string): number | null {
  const name = parseObjectName(text);
  if (name === undefined) return null;
  const { host } = context.frame;
  // OBJECT_ID('#t') finds a temporary table from every database, and so does OBJECT_ID('tempdb..#t').
  const temporary = tableNamed(name, host) ?? procedureNamed(name, host);
  if (temporary !== undefined) return temporary.objectId;
  const database = name.database ?? host.database;
  const kind = kindOf(context, database);
  const isIt = (found: Found): boolean =>
    (name.schema === undefined || fold(found.schema) === fold(name.schema)) && isIn(found, database);
  return kind === undefined ? null : (indexOf(kind).byName.get(fold(name.name))?.find(isIt)?.id ?? null);
}

const isIn = (found: Found, database: string): boolean =>
  found.database === undefined || found.database === fold(database);

function* clientObjects({ host }: Context['frame']): Generator<Found> {
  const places = [host.state, ...host.tempDb.places];
  for (const { schema, tables, procedures } of places) {
    for (const each of procedures.values()) yield { id: each.objectId, name: each.name, schema };
    for (const each of tables.values()) {
      yield { id: each.objectId, name: each.name, schema };
      const { keys, references, columns } = listedTable(each, places);
      const named = keys.filter(({ kind }) => kind !== 'index');
      for (const { name } of [...named, ...references]) yield { id: objectId(schema, name), name, schema };
      for (const column of columns) {
        const name = defaultNameOf({ schema, name: each.name }, column);
        if (column.byDefault !== undefined) yield { id: objectId(schema, name), name, schema };
      }
    }
  }
}

function findById(context: Context, id: number, database = context.frame.host.database): Found | undefined {
  const kind = kindOf(context, database);
  const found = kind && indexOf(kind).byId.get(id);
  if (found !== undefined && isIn(found, database)) return found;
  return clientObjects(context.frame).find((each) => each.id === id);
}

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

function databaseProperty(context: Context, name: string, property: string): unknown {
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
  OBJECT_ID: simple('text, text?', t.int, ([name], context) => findByName(context, String(name))),
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
  ORIGINAL_DB_NAME: simple('', t.nvarchar(128), (_, context) => context.frame.host.database),
};
