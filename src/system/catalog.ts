import { compare, fold } from '../base/text/collation.ts';
import { atOnce, inTurns, type Steps } from '../base/threads/steps.ts';
import { Turn } from '../base/threads/turn.ts';
import type { Db } from '../engine/db.ts';
import type { AnyProcedure } from '../procedure/declare.ts';
import { describeParams, head, literal, objectId, type ParamDescription, schemaOf } from '../procedure/describe.ts';
import type { Kind } from '../procedure/kind.ts';
import { columnsOf } from '../procedure/relations/columns-of.ts';
import { lastNumber } from '../procedure/relations/last-number.ts';
import { isStored, type Relation, type StoredRelation, theMoment } from '../procedure/relations/relation.ts';
import { keysOf } from '../procedure/relations/relation-keys.ts';
import type {
  ClientProcedure,
  ClientView,
  ExtendedProperty,
  TableCheck,
  TableKey,
  TableReference,
  TemporaryColumn,
  TemporaryTable,
  ViewModule,
} from '../procedure/relations/tsql-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { sortSteps } from '../tsql/query/sort.ts';
import { schemaIds } from './names.ts';
import { databaseRoles } from './principals.ts';

interface CatalogObject {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** True for what every database offers. */
  readonly system: boolean;
}

/** A procedure as the catalog lists it; an alias is a separate entry, because it can be called. */
export interface CatalogProcedure extends CatalogObject {
  readonly params: readonly ParamDescription[];
  /** Absent for one that a client made. */
  readonly declared?: AnyProcedure;
  /** As T-SQL declares it, or would. */
  definition(): string;
}

/** A table or view as the catalog lists it. */
export interface CatalogRelation extends CatalogObject {
  readonly type: 'table' | 'view';
  readonly columns: readonly TemporaryColumn[];
  /** Keys and indexes. */
  readonly keys: readonly TableKey[];
  readonly references: readonly TableReference[];
  readonly checks?: readonly TableCheck[];
  readonly properties?: readonly ExtendedProperty[];
  /** The number of its rows, if known without counting. */
  readonly rows?: bigint;
  /** Present for a view that a client made. */
  readonly module?: ViewModule;
  /** The last number that a row was given; NULL before the first. */
  lastNumber(db: Db): Promise<bigint | null>;
}

/** Everything that a database offers, by name. */
interface Catalog {
  readonly procedures: readonly CatalogProcedure[];
  readonly relations: readonly CatalogRelation[];
}

const catalogs = new WeakMap<Kind, Map<string, Catalog>>();

/** The catalog of the database that a call runs in. */
export const catalogOf = (call: SystemCall): Catalog => catalogIn(call, { name: call.database, kind: call.kind });

/**
 * The catalog of a database as a call sees it; tempdb also has what clients created, but of temporary objects only the
 * caller's.
 */
export function catalogIn(call: SystemCall, { name, kind }: { readonly name: string; readonly kind: string }): Catalog {
  const catalog = declaredCatalog(call, kind, fold(name));
  return fold(name) === 'tempdb' ? (listed.get(call) ?? atOnce(listing(catalog, call))) : catalog;
}

/** The catalogs of tempdb by call. */
const listed = new WeakMap<SystemCall, Catalog>();

/** Lists what a call is going to read of tempdb, yielding to others: sessions may share thousands of tables. */
export async function listInTurns(call: SystemCall): Promise<void> {
  if (fold(call.database) !== 'tempdb') return;
  const work = listing(declaredCatalog(call, call.kind, fold(call.database)), call);
  listed.set(call, await inTurns(work, new Turn(call.signal)));
}

function* listing(declared: Catalog, { tsql }: SystemCall): Steps<Catalog> {
  const procedures = [...declared.procedures];
  for (const each of tsql.clientProcedures()) {
    procedures.push(clientEntry(each));
    yield;
  }
  const relations = [...declared.relations];
  for (const each of tsql.temporaryTables()) {
    relations.push(temporaryEntry(each));
    yield;
  }
  for (const each of tsql.clientViews()) {
    relations.push(viewEntry(each));
    yield;
  }
  const order = { compare: bySchemaAndName };
  return {
    procedures: yield* sortSteps<CatalogProcedure>(procedures, order),
    relations: yield* sortSteps<CatalogRelation>(relations, order),
  };
}

const byNames = new WeakMap<Catalog, ReadonlyMap<string, CatalogRelation>>();

/** The table or view of a database that has exactly that name. */
export function relationNamed(call: SystemCall, schema: string, name: string): CatalogRelation | undefined {
  const catalog = catalogOf(call);
  const byName =
    byNames.get(catalog) ?? new Map(catalog.relations.map((each) => [`${each.schema}.${each.name}`, each]));
  byNames.set(catalog, byName);
  return byName.get(`${schema}.${name}`);
}

function declaredCatalog({ server }: SystemCall, name: string, database: string): Catalog {
  const kind = server.kind(name);
  if (!kind) throw new Error(`the server offers nothing for databases of the kind ${name}`);
  // Only msdb has what no other database of its kind has.
  const place = kind.relations.some((relation) => relation.database === database) ? database : '';
  const made = catalogs.get(kind) ?? new Map<string, Catalog>();
  catalogs.set(kind, made);
  const found = made.get(place);
  if (found) return found;
  const catalog = {
    procedures: kind.procedures.flatMap(procedureEntries).sort(bySchemaAndName),
    relations: kind.relations
      .filter((relation) => (relation.database ?? place) === place && relation.isAlias !== true)
      .map(relationEntry)
      .sort(bySchemaAndName),
  };
  made.set(place, catalog);
  return catalog;
}

const bySchemaAndName = (a: CatalogObject, b: CatalogObject): number =>
  compare(a.schema, b.schema) || compare(a.name, b.name);

function procedureEntries(procedure: AnyProcedure): CatalogProcedure[] {
  const schema = schemaOf(procedure);
  const params = describeParams(procedure);
  return [procedure.name, ...(procedure.aliases ?? [])].map((name) => ({
    id: objectId(schema, name),
    schema,
    name,
    system: schema === 'sys',
    params,
    declared: procedure,
    definition: () => head(procedure, name),
  }));
}

function relationEntry(relation: Relation): CatalogRelation {
  const { schema, name, type } = relation;
  const system = schema !== 'dbo' || relation.isSystem === true;
  return {
    id: objectId(schema, name),
    schema,
    name,
    system,
    type,
    columns: isStored(relation) ? storedColumns(relation) : columnsOf(relation.columns),
    keys: keysOf(relation),
    references: [],
    lastNumber: async (db) => (await lastNumber(relation, db)) ?? null,
  };
}

const storedColumns = ({ columns, stored }: StoredRelation): TemporaryColumn[] =>
  columnsOf(columns).map((column) => {
    const { identity, byDefault } = stored[column.name] ?? {};
    return {
      ...column,
      ...(identity ? { identity: { seed: 1n, increment: 1n } } : {}),
      ...(byDefault === undefined ? {} : { byDefault: `(${shownDefault(column.type, byDefault)})` }),
    };
  });

/** As the catalog writes it: numbers in brackets of their own. */
function shownDefault(type: AnyType, value: unknown): string {
  if (value === theMoment) return 'getutcdate()';
  return typeof value === 'string' ? literal(type, value) : `(${literal(type, value)})`;
}

export const temporaryEntry = ({
  schema,
  name,
  objectId: id,
  columns,
  keys,
  references,
  checks,
  properties,
  rows,
  lastNumber: last,
}: TemporaryTable): CatalogRelation => ({
  id,
  schema,
  name,
  system: false,
  type: 'table',
  columns,
  keys,
  references,
  checks,
  properties,
  rows,
  lastNumber: async () => last ?? null,
});

const viewEntry = ({ objectId: id, ...view }: ClientView): CatalogRelation => ({
  ...{ ...view, id, system: false, type: 'view', keys: [], references: [] },
  lastNumber: async () => null,
});

const clientEntry = ({ schema, name, objectId: id, params, definition }: ClientProcedure): CatalogProcedure => ({
  id,
  schema,
  name,
  system: false,
  params,
  definition: () => definition,
});

/** The schemas of the database that a call runs in, with their ids; tempdb has those that clients made, too. */
export function schemasOf({ database, kind, server, tsql }: SystemCall): ReadonlyMap<string, number> {
  const all = new Map([...Object.entries(schemaIds), ...databaseRoles.map(({ name, id }) => [name, id] as const)]);
  const extended = server.kind(kind)?.procedures.some(({ schema }) => schema !== undefined);
  if (extended) all.set('granary', firstSchemaId);
  if (fold(database) !== 'tempdb') return all;
  for (const [at, schema] of tsql.schemas.entries()) all.set(schema, firstSchemaId + at);
  return all;
}

/** What the first schema that a user makes gets. */
const firstSchemaId = 5;

/** When the database of a call was made: the date of all that is in it. */
export async function created({ server, database }: SystemCall): Promise<Date> {
  const entry = (await server.databases()).find(({ name }) => fold(name) === fold(database));
  return entry?.created ?? server.started;
}
