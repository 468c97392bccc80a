import { fold } from '../../base/text/collation.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import type { Given } from './rows.ts';

const keyOf = (schema: string, name: string): string => fold(`${schema}.${name}`);

/** What the views of clients name, as it is written, and its number if it is in the same database. */
export function* viewDependencies(call: SystemCall): Generator<Given> {
  const relations = catalogOf(call).relations.filter(({ system }) => !system);
  const known = new Map<string, CatalogRelation>();
  for (const { id, schema, module } of relations) {
    for (const { database, schema: within, name: read } of module?.reads ?? []) {
      if (known.size === 0) for (const each of relations) known.set(keyOf(each.schema, each.name), each);
      const isHere = database === undefined || fold(database) === fold(call.database);
      const own = within === undefined ? known.get(keyOf(schema, read)) : undefined;
      const to = isHere ? (own ?? known.get(keyOf(within ?? 'dbo', read))) : undefined;
      if (to?.id === id) continue;
      yield {
        referencing_id: id,
        is_schema_bound_reference: module?.isSchemaBound === true,
        referenced_database_name: database ?? null,
        referenced_schema_name: within ?? null,
        referenced_entity_name: read,
        referenced_id: to?.id ?? null,
      };
    }
  }
}
