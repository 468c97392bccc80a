import { lowered } from '../base/text/lowered.ts';
import type { AnyProcedure } from './declare.ts';
import type { Kind } from './kind.ts';
import type { Relation } from './relations/relation.ts';

/** The procedures and relations of a kind of database by name, case-insensitively as in SQL Server. */
export class Registry {
  readonly kind: Kind;
  readonly #procedures = new Map<string, AnyProcedure>();
  readonly #relations = new Map<string, Relation>();

  constructor(kind: Kind) {
    this.kind = kind;
    for (const procedure of kind.procedures) {
      const { schema, aliases = [] } = procedure;
      for (const name of [procedure.name, ...aliases]) this.#add(procedureKey(name, schema), procedure);
    }
    for (const relation of kind.relations) this.#relations.set(key(relation.schema, relation.name), relation);
  }

  #add(name: string, procedure: AnyProcedure): void {
    if (this.#procedures.has(name)) throw new Error(`${this.kind.name}: two procedures are named ${name}`);
    this.#procedures.set(name, procedure);
  }

  /** The procedure of that name; those of dbo and sys are found without their schema too. */
  procedure(name: string, schema?: string): AnyProcedure | undefined {
    const other = schema === undefined || /^(dbo|sys)$/i.test(schema) ? undefined : schema;
    return this.#procedures.get(procedureKey(name, other));
  }

  /** The table or view of that name; without a schema, dbo is meant. */
  relation(name: string, schema = 'dbo'): Relation | undefined {
    return this.#relations.get(key(schema, name));
  }
}

const procedureKey = (name: string, schema?: string) => (schema === undefined ? lowered(name) : key(schema, name));

const key = (schema: string, name: string) => `${schema}.${name}`.toLowerCase();
