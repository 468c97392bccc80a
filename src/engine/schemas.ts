import { ruleBroken } from '../base/messages/sql-error.ts';
import type { Schema } from './engine.ts';
import { ownSchema, systemKind } from './own-schema.ts';

/** The schemas of all kinds of databases that this Granary knows. */
export class Schemas {
  readonly #byKind: ReadonlyMap<string, Schema>;

  constructor(schemas: readonly Schema[]) {
    this.#byKind = new Map(schemas.map((schema) => [schema.kind, schema]));
  }

  /** The schemas of the system database: the engine's own tables and, if there is one, the kind `system`. */
  get system(): readonly Schema[] {
    const system = this.#byKind.get(systemKind);
    return system === undefined ? [ownSchema] : [ownSchema, system];
  }

  /** The schemas of a database of a kind. */
  of(kind: string): readonly Schema[] {
    const schema = this.#byKind.get(kind);
    if (schema === undefined || kind === systemKind) {
      const known = [...this.#byKind.keys()].filter((name) => name !== systemKind);
      throw ruleBroken(`There is no kind of database called ${kind}; the kinds are ${known.join(', ')}.`);
    }
    return [schema];
  }
}
