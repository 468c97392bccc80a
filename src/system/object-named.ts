import { sqlError } from '../base/messages/sql-error.ts';
import { fold } from '../base/text/collation.ts';
import { parseObjectName } from '../procedure/object-name.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import { type CatalogProcedure, type CatalogRelation, catalogOf } from './catalog.ts';

/** Finds an object by a name of one to three parts; 15250 when the name is one of another database. */
export function objectNamed(call: SystemCall, name: string): CatalogProcedure | CatalogRelation | undefined {
  const parsed = parseObjectName(name);
  if (parsed?.database && fold(parsed.database) !== fold(call.database)) throw sqlError(15250);
  const same = (a: string, b: string | undefined) => fold(a) === (b === undefined ? undefined : fold(b));
  const isIt = (of: { schema: string; name: string }) =>
    same(of.name, parsed?.name) && (!parsed?.schema || same(of.schema, parsed.schema));
  const { procedures, relations } = catalogOf(call);
  return procedures.find(isIt) ?? relations.find(isIt);
}
