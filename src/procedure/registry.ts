import type { AnyProcedure } from './declare.ts';
import type { Kind } from './kind.ts';
import type { Relation } from './relation.ts';

/** Finds what a kind of database offers by name, as SQL Server matches names: without regard to case. */
export class Registry {
  readonly kind: Kind;
  readonly #procedures = new Map<string, AnyProcedure>();
  readonly #relations = new Map<string, Relation>();

  constructor(kind: Kind) {
    this.kind = kind;
    for (const procedure of kind.procedures) {
      for (const name of [procedure.name, ...(procedure.aliases ?? [])]) this.#add(name.toLowerCase(), procedure);
    }
    for (const relation of kind.relations) this.#relations.set(key(relation.schema, relation.name), relation);
  }

  #add(name: string, procedure: AnyProcedure): void {
    if (this.#procedures.has(name)) throw new Error(`${this.kind.name}: two procedures are named ${name}`);
    this.#procedures.set(name, procedure);
  }

  /** The procedure of that name; schema dbo and sys are where procedures live. */
  procedure(name: string, schema?: string): AnyProcedure | undefined {
    if (schema !== undefined && !/^(dbo|sys)$/i.test(schema)) return undefined;
    return this.#procedures.get(name.toLowerCase());
  }

  /** The table or view of that name; without a schema, dbo is meant. */
  relation(name: string, schema = 'dbo'): Relation | undefined {
    return this.#relations.get(key(schema, name));
  }
}

const key = (schema: string, name: string) => `${schema}.${name}`.toLowerCase();
