import { byName } from '../../base/by-name.ts';
import { fold } from '../../base/collation.ts';
import { objectId, schemaOf } from '../../procedure/describe.ts';
import type { Kind } from '../../procedure/kind.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import type { DatabaseEntry } from '../../procedure/server-view.ts';
import { longestName } from '../../syntax/lexer/tokenize.ts';
import * as t from '../../tds/types/index.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { procedureNamed, tableNamed } from '../storage/object-place.ts';
import { simple } from './define.ts';

/** An object of a database, as OBJECT_ID and its kin see it. */
interface Found {
  readonly id: number;
  readonly name: string;
  readonly schema: string;
}

function databaseNamed(context: Context, name: string): DatabaseEntry | undefined {
  if (name.length > longestName) return undefined;
  const wanted = fold(name);
  return context.databases.find((entry) => fold(entry.name) === wanted);
}

/** What the databases of a name offer. */
export function kindOf(context: Context, database: string): Kind | undefined {
  const entry = databaseNamed(context, database);
  return entry === undefined ? undefined : context.frame.host.server.kind(entry.kind);
}

/** What a database has, each object once under every schema it is known by. */
function* objectsOf(kind: Kind): Generator<Found> {
  for (const { schema, name } of kind.relations) yield { id: objectId(schema, name), name, schema };
  for (const procedure of kind.procedures) {
    const schema = schemaOf(procedure);
    for (const each of [procedure.name, ...(procedure.aliases ?? [])])
      yield { id: objectId(schema, each), name: each, schema };
  }
}

/** The object_id of a name of one to three parts. */
export function findByName(context: Context, text: string): number | null {
  const name = parseObjectName(text);
  if (name === undefined) return null;
  const { host } = context.frame;
  const { database } = host;
  // OBJECT_ID('#t') finds a temporary table from every database, and so does OBJECT_ID('tempdb..#t').
  const temporary = tableNamed(name, host) ?? procedureNamed(name, host);
  if (temporary !== undefined) return temporary.objectId;
  const kind = kindOf(context, name.database ?? database);
  for (const found of kind === undefined ? [] : objectsOf(kind)) {
    if (fold(found.name) === fold(name.name) && (name.schema === undefined || fold(found.schema) === fold(name.schema)))
      return found.id;
  }
  return null;
}

function findById(context: Context, id: number, database: string | undefined): Found | undefined {
  const { state, tempDb } = context.frame.host;
  for (const { schema, tables, procedures } of [state, ...tempDb.places]) {
    for (const { objectId: own, name } of [...tables.values(), ...procedures.values()])
      if (own === id) return { id, name, schema };
  }
  const kind = kindOf(context, database ?? context.frame.host.database);
  for (const found of kind === undefined ? [] : objectsOf(kind)) if (found.id === id) return found;
  return undefined;
}

const databaseOf = (context: Context, id: unknown): string | undefined =>
  id === undefined ? undefined : context.databases.find((entry) => entry.id === Number(id))?.name;

const builtInSchemas = ['dbo', 'guest', 'INFORMATION_SCHEMA', 'sys'];

/** The schemas of the current database, in the order of their ids, which begin at 1. */
function schemasOf(context: Context): readonly string[] {
  const { host } = context.frame;
  const isTemporary = fold(host.database) === 'tempdb';
  const made = isTemporary ? [...host.tempDb.schemas.values()].map(({ schema }) => schema) : [];
  const extended = kindOf(context, host.database)?.procedures.some(({ schema }) => schema !== undefined);
  return [...builtInSchemas, ...(extended ? ['granary'] : []), ...made];
}

function databaseProperty(context: Context, name: string, property: string): unknown {
  if (databaseNamed(context, name) === undefined) return null;
  const text = (value: string) => ({ type: t.nvarchar(128), value });
  const number = (value: number) => ({ type: t.int, value });
  const known: Readonly<Record<string, { type: typeof t.int | ReturnType<typeof t.nvarchar>; value: unknown }>> =
    byName({
      collation: text('Latin1_General_CI_AS_KS_WS'),
      status: text('ONLINE'),
      updateability: text('READ_WRITE'),
      useraccess: text('MULTI_USER'),
      recovery: text('FULL'),
      version: number(904),
      isautoclose: number(0),
      isautoshrink: number(0),
      isfulltextenabled: number(0),
      isinstandby: number(0),
      // Granary's own: which procedures the database has.
      granarykind: text(kindOf(context, name)?.name ?? ''),
    });
  return known[property.toLowerCase()] ?? null;
}

/** The functions about databases and what is in them. */
export const objectFunctions: Readonly<Record<string, FunctionSpec>> = {
  DB_NAME: simple({
    args: [t.int],
    optional: 1,
    returns: t.nvarchar(128),
    apply: ([id], context) => (id === undefined ? context.frame.host.database : (databaseOf(context, id) ?? null)),
  }),
  DB_ID: simple({
    args: ['text'],
    optional: 1,
    returns: t.smallint,
    apply: ([name], context) => databaseNamed(context, String(name ?? context.frame.host.database))?.id ?? null,
  }),
  OBJECT_ID: simple({
    args: ['text', 'text'],
    optional: 1,
    returns: t.int,
    apply: ([name], context) => findByName(context, String(name)),
  }),
  OBJECT_NAME: simple({
    args: [t.int, t.int],
    optional: 1,
    returns: t.nvarchar(128),
    apply: ([id, database], context) => findById(context, Number(id), databaseOf(context, database))?.name ?? null,
  }),
  OBJECT_SCHEMA_NAME: simple({
    args: [t.int, t.int],
    optional: 1,
    returns: t.nvarchar(128),
    apply: ([id, database], context) => findById(context, Number(id), databaseOf(context, database))?.schema ?? null,
  }),
  SCHEMA_NAME: simple({
    args: [t.int],
    optional: 1,
    returns: t.nvarchar(128),
    apply: ([id], context) => schemasOf(context)[Number(id ?? 1) - 1] ?? null,
  }),
  SCHEMA_ID: simple({
    args: ['text'],
    optional: 1,
    returns: t.int,
    apply: ([name], context) => {
      const wanted = fold(String(name ?? 'dbo'));
      return schemasOf(context).findIndex((schema) => fold(schema) === wanted) + 1 || null;
    },
  }),
  HAS_DBACCESS: simple({
    args: ['text'],
    returns: t.int,
    apply: ([name], context) => {
      if (databaseNamed(context, String(name)) === undefined) return null;
      return context.accessible.has(fold(String(name))) ? 1 : 0;
    },
  }),
  DATABASEPROPERTYEX: simple({
    args: ['text', 'text'],
    returns: t.sqlVariant,
    apply: ([name, property], context) => databaseProperty(context, String(name), String(property)),
  }),
  ORIGINAL_DB_NAME: simple({ args: [], returns: t.nvarchar(128), apply: (_, context) => context.frame.host.database }),
};
