import type { Db } from '../../engine/db.ts';
import type { Migration } from '../../engine/engine.ts';
import type { AnyProcedure } from '../../procedure/declare.ts';
import type { Kind, Rule, Tally } from '../../procedure/kind.ts';
import type { Relation } from '../../procedure/relations/relation.ts';
import { recompile } from './maintenance.ts';

/** A part of the search databases: the tables of some sets of 3.1.1, with their procedures and relations. */
export interface Area {
  readonly procedures: readonly AnyProcedure[];
  readonly relations: readonly Relation[];
  readonly migrations: readonly Migration[];
  readonly rules?: readonly Rule[];
  readonly tallies?: readonly Tally[];
  /** Initial content of this area in the first database; runs again if a start was interrupted. */
  firstContents?(db: Db, database: string): Promise<void>;
}

/** What distinguishes a kind of search database: which areas it has, and which of their procedures. */
interface SearchKind {
  readonly name: string;
  readonly firstDatabase: string;
  readonly areas: readonly Area[];
  /** The names of its procedures if it does not have all of its areas'; extensions are everywhere. */
  readonly procedures?: ReadonlySet<string>;
  /** True if such a database is a farm by itself. */
  readonly isWhole?: boolean;
}

/** Assembles a kind of database from its areas; every kind has the recompilation procedures. */
export function searchKind({ name, firstDatabase, areas, procedures, isWhole = false }: SearchKind): Kind {
  return {
    name,
    firstDatabase,
    procedures: [recompile, ...areas.flatMap((area) => area.procedures)].filter(
      ({ name, schema }) => procedures === undefined || schema !== undefined || procedures.has(name),
    ),
    relations: areas.flatMap((area) => area.relations),
    schema: { kind: name, migrations: areas.flatMap((area) => area.migrations) },
    rules: areas.flatMap((area) => area.rules ?? []),
    tallies: areas.flatMap((area) => area.tallies ?? []),
    isWhole,
    firstContents: async (db, database) => {
      for (const area of areas) await area.firstContents?.(db, database);
    },
  };
}
