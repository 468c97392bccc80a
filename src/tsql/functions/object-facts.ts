import { describeParams, head, objectId, schemaOf } from '../../procedure/describe.ts';
import { columnsOf } from '../../procedure/execute.ts';
import type { Kind } from '../../procedure/kind.ts';
import { isStored, type Relation } from '../../procedure/relation.ts';
import { keysOf } from '../../procedure/relation-keys.ts';
import type { TableKey, TemporaryColumn } from '../../procedure/tsql-view.ts';
import type { Context } from '../evaluate/context.ts';
import { listedProcedure, listedTable } from '../storage/client-objects.ts';
import { kindOf } from './objects.ts';

/** What OBJECTPROPERTY and its kin know of an object. */
export interface ObjectFacts {
  readonly type: 'U' | 'V' | 'P';
  readonly schema: string;
  readonly name: string;
  /** Its columns, or the parameters of a procedure. */
  readonly columns: readonly TemporaryColumn[];
  readonly keys: readonly TableKey[];
  readonly refers: boolean;
  /** As T-SQL declares it; undefined for a table, and for a view of Granary's own. */
  readonly definition?: string;
}

const byKind = new WeakMap<Kind, ReadonlyMap<number, ObjectFacts>>();

const columnsOfRelation = (relation: Relation): TemporaryColumn[] =>
  columnsOf(relation.columns).map((column) =>
    isStored(relation) && relation.stored[column.name]?.identity
      ? { ...column, identity: { seed: 1n, increment: 1n } }
      : column,
  );

function* declared(kind: Kind): Generator<[number, ObjectFacts]> {
  for (const relation of kind.relations) {
    const { schema, name, type } = relation;
    const columns = columnsOfRelation(relation);
    const of = type === 'table' ? 'U' : 'V';
    yield [objectId(schema, name), { type: of, schema, name, columns, keys: keysOf(relation), refers: false }];
  }
  for (const procedure of kind.procedures) {
    const schema = schemaOf(procedure);
    const columns = describeParams(procedure).map(({ name, type }) => ({ name, type, nullable: true }));
    for (const name of [procedure.name, ...(procedure.aliases ?? [])])
      yield [
        objectId(schema, name),
        { type: 'P', schema, name, columns, keys: [], refers: false, definition: head(procedure, name) },
      ];
  }
}

/** The object of that id in the current database; what clients made is found from every database. */
export function factsOf(context: Context, id: number): ObjectFacts | undefined {
  const { host } = context.frame;
  const kind = kindOf(context, host.database);
  if (kind !== undefined && !byKind.has(kind)) byKind.set(kind, new Map(declared(kind)));
  const found = kind && byKind.get(kind)?.get(id);
  if (found !== undefined) return found;
  const places = [host.state, ...host.tempDb.places];
  for (const { tables, procedures, schema } of places) {
    for (const each of tables.values()) {
      if (each.objectId !== id) continue;
      const table = listedTable(each, places);
      return { ...table, type: 'U', refers: table.references.length > 0 };
    }
    for (const each of procedures.values()) {
      if (each.objectId !== id) continue;
      const { name, params, definition } = listedProcedure(each, schema);
      const columns = params.map((param) => ({ name: param.name, type: param.type, nullable: true }));
      return { type: 'P', schema, name, columns, keys: [], refers: false, definition };
    }
  }
  return undefined;
}
