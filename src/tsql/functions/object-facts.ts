import { fold } from '../../base/text/collation.ts';
import { describeParams, head, objectId, schemaOf } from '../../procedure/describe.ts';
import type { Kind } from '../../procedure/kind.ts';
import { type ObjectName, parseObjectName } from '../../procedure/object-name.ts';
import { columnsOf } from '../../procedure/relations/columns-of.ts';
import { defaultNameOf } from '../../procedure/relations/default-name.ts';
import { isStored, type Relation } from '../../procedure/relations/relation.ts';
import { keysOf } from '../../procedure/relations/relation-keys.ts';
import type { ClientProcedure, TableKey, TemporaryColumn } from '../../procedure/relations/tsql-view.ts';
import type { DatabaseEntry } from '../../procedure/server-view.ts';
import { longestName } from '../../syntax/lexer/tokenize.ts';
import type { Context } from '../evaluate/context.ts';
import type { Host } from '../host.ts';
import { listedProcedure, listedTable, listedView } from '../storage/client-objects.ts';
import type { MadeView } from '../storage/made-view.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import { isShared, type ObjectPlace, placeOf, procedureNamed, tableNamed, viewNamed } from '../storage/object-place.ts';

/** The sorts of constraints, as sys.objects calls them. */
type ConstraintType = 'PK' | 'UQ' | 'D' | 'F' | 'C';

/** The facts about an object for OBJECTPROPERTY and related functions. */
export interface ObjectFacts {
  readonly type: 'U' | 'V' | 'P' | ConstraintType;
  readonly schema: string;
  readonly name: string;
  /** Its columns, or the parameters of a procedure. */
  readonly columns: readonly TemporaryColumn[];
  readonly keys: readonly TableKey[];
  readonly refers: boolean;
  /** Of a primary or unique key: whether the rows are sorted by it. */
  readonly isClustered?: boolean;
  /** Of a foreign key or check: whether nothing is held against it. */
  readonly isDisabled?: boolean;
  /** Of a view: WITH SCHEMABINDING. */
  readonly isSchemaBound?: boolean;
  /** As T-SQL declares it; undefined for a table, for a view of Granary's own, and for an encrypted one. */
  readonly definition?: string;
}

/** An object of a database, for OBJECT_ID and related functions. */
interface Found {
  readonly id: number;
  readonly name: string;
  readonly schema: string;
  /** The one database that has it. */
  readonly database?: string | undefined;
  /** What else is known of it. */
  facts(): ObjectFacts;
}

/** The id of what has a name and no number of its own. */
const named = (schema: string, name: string) => ({ id: objectId(schema, name), name, schema });

/** A constraint: an object of its own that has neither columns nor keys. */
const constraint = (
  schema: string,
  name: string,
  more: Pick<ObjectFacts, 'isClustered' | 'isDisabled' | 'definition'> & { readonly type: ConstraintType },
): Found => ({
  ...named(schema, name),
  facts: () => ({ schema, name, columns: [], keys: [], refers: false, ...more }),
});

/** The constraints that keys are: an index is none. */
const keyConstraints = (schema: string, keys: readonly TableKey[]): Found[] =>
  keys.flatMap(({ name, kind, isClustered }) =>
    kind === 'index' ? [] : [constraint(schema, name, { type: kind === 'PRIMARY KEY' ? 'PK' : 'UQ', isClustered })],
  );

/** A procedure has parameters for columns, and no keys. */
const procedureFacts = ({ schema, name, params, definition }: Omit<ClientProcedure, 'objectId'>): ObjectFacts => {
  const columns = params.map((param) => ({ name: param.name, type: param.type, nullable: true }));
  return { type: 'P', schema, name, columns, keys: [], refers: false, definition };
};

function viewFacts(view: MadeView): ObjectFacts {
  const { schema, name, columns, module } = listedView(view);
  const definition = module.definition === null ? {} : { definition: module.definition };
  const { isSchemaBound } = module;
  return { type: 'V', schema, name, columns, keys: [], refers: false, isSchemaBound, ...definition };
}

function relationFacts(relation: Relation): ObjectFacts {
  const { schema, name, type } = relation;
  const columns = columnsOf(relation.columns).map((column) =>
    isStored(relation) && relation.stored[column.name]?.identity
      ? { ...column, identity: { seed: 1n, increment: 1n } }
      : column,
  );
  return { type: type === 'table' ? 'U' : 'V', schema, name, columns, keys: keysOf(relation), refers: false };
}

/** A table's keys and defaults, which are objects too. */
function constraintsOf(relation: Relation): readonly Found[] {
  const { schema } = relation;
  const stored = isStored(relation) ? Object.entries(relation.stored) : [];
  const defaults = stored.filter(([, { byDefault }]) => byDefault !== undefined);
  return [
    ...keyConstraints(schema, keysOf(relation)),
    ...defaults.map(([name]) => constraint(schema, defaultNameOf(relation, { name }), { type: 'D' })),
  ];
}

/** What a database has, each object once under every schema it is known by. */
function* objectsOf(kind: Kind): Generator<Found> {
  for (const relation of kind.relations) {
    const { schema, name, database } = relation;
    yield { ...named(schema, name), database, facts: () => relationFacts(relation) };
    yield* constraintsOf(relation);
  }
  for (const procedure of kind.procedures) {
    const schema = schemaOf(procedure);
    const params = describeParams(procedure);
    for (const name of [procedure.name, ...(procedure.aliases ?? [])])
      yield {
        ...named(schema, name),
        facts: () => procedureFacts({ schema, name, params, definition: head(procedure, name) }),
      };
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

export function databaseNamed(context: Context, name: string): DatabaseEntry | undefined {
  if (name.length > longestName) return undefined;
  const wanted = fold(name);
  return context.known.databases.find((entry) => fold(entry.name) === wanted);
}

/** What the databases of a name offer. */
export function kindOf(context: Context, database: string): Kind | undefined {
  const entry = databaseNamed(context, database);
  return entry === undefined ? undefined : context.frame.host.server.kind(entry.kind);
}

const isIn = (found: Found, database: string): boolean =>
  found.database === undefined || found.database === fold(database);

/** True for what is found without its schema: what is in dbo, and procedures of the system, but not `sys.events`. */
const isOpen = ({ schema, facts }: Found): boolean => schema === 'dbo' || (schema === 'sys' && facts().type === 'P');

/** The object_id of a name of one to three parts; of one sort alone, where that is given: `U`, `P`, `PK`. */
export function findByName(context: Context, text: string, type?: string): number | null {
  const name = parseObjectName(text);
  if (name === undefined) return null;
  const wanted = type?.trim().toUpperCase();
  const { host } = context.frame;
  // OBJECT_ID('#t') finds a temporary table from every database, and so does OBJECT_ID('tempdb..#t').
  const made = madeNamed(name, host);
  if (made !== undefined) return wanted === undefined || wanted === made.type ? made.id : null;
  const database = name.database ?? host.database;
  const kind = kindOf(context, database);
  const isIt = (found: Found): boolean =>
    (name.schema === undefined ? isOpen(found) : fold(found.schema) === fold(name.schema)) &&
    isIn(found, database) &&
    (wanted === undefined || found.facts().type === wanted);
  return kind === undefined ? null : (indexOf(kind).byName.get(fold(name.name))?.find(isIt)?.id ?? null);
}

/** What a client made under a name: a table, a procedure, a view, or a constraint of a table that is no temporary one. */
function madeNamed(name: ObjectName, host: Host): { readonly id: number; readonly type: string } | undefined {
  const table = tableNamed(name, host);
  if (table !== undefined) return { id: table.objectId, type: 'U' };
  const procedure = procedureNamed(name, host);
  if (procedure !== undefined) return { id: procedure.objectId, type: 'P' };
  const view = viewNamed(name, host);
  if (view !== undefined) return { id: view.objectId, type: 'V' };
  const place = placeOf(name, host);
  if (!isShared(place, host)) return undefined;
  for (const each of place?.tables.values() ?? []) {
    if (each.name.startsWith('##')) continue;
    const found = constraintsOfClient(each, host.tempDb.places).find((one) => fold(one.name) === fold(name.name));
    if (found !== undefined) return { id: found.id, type: found.facts().type };
  }
  return undefined;
}

/** The constraints of a table that a client made. */
function constraintsOfClient(made: MemoryTable, places: readonly ObjectPlace[]): Found[] {
  const { schema, name: table, keys, references, checks, columns } = listedTable(made, places);
  return [
    ...keyConstraints(schema, keys),
    ...references.map(({ name, isDisabled }) => constraint(schema, name, { type: 'F', isDisabled })),
    ...checks.map(({ name, isDisabled, definition }) =>
      constraint(schema, name, { type: 'C', isDisabled, definition }),
    ),
    ...columns
      .filter(({ byDefault }) => byDefault !== undefined)
      .map((column) => constraint(schema, defaultNameOf({ schema, name: table }, column), { type: 'D' })),
  ];
}

/** Objects that clients created; their constraints last, because finding those takes a search. */
function* clientObjects({ host }: Context['frame']): Generator<Found> {
  const places = [host.state, ...host.tempDb.places];
  const tables = places.flatMap((place) => [...place.tables.values()]);
  for (const { schema, procedures } of places)
    for (const each of procedures.values()) {
      const facts = () => procedureFacts(listedProcedure(each, schema));
      yield { id: each.objectId, name: each.name, schema, facts };
    }
  for (const { views, schema } of places)
    for (const each of views.values())
      yield { id: each.objectId, name: each.name, schema, facts: () => viewFacts(each) };
  for (const each of tables) {
    const facts = (): ObjectFacts => {
      const table = listedTable(each, places);
      return { ...table, type: 'U', refers: table.references.length > 0 };
    };
    yield { id: each.objectId, name: each.name, schema: each.schema, facts };
  }
  for (const each of tables) {
    yield* constraintsOfClient(each, places);
  }
}

/**
 * The object of that id in a database, the current one unless named; what clients made is found from every database.
 */
export function findById(context: Context, id: number, database = context.frame.host.database): Found | undefined {
  const kind = kindOf(context, database);
  const found = kind && indexOf(kind).byId.get(id);
  if (found !== undefined && isIn(found, database)) return found;
  return clientObjects(context.frame).find((each) => each.id === id);
}

/** What is known of the object of that id. */
export const factsOf = (context: Context, id: number): ObjectFacts | undefined => findById(context, id)?.facts();
