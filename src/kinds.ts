import { accountsSchema } from './accounts/schema.ts';
import type { Kind } from './procedure/kind.ts';
import { config } from './protocols/config/kind.ts';
import { systemProcedures } from './protocols/system/procedures.ts';
import { systemRelations } from './protocols/system/relations.ts';
import { translation } from './protocols/translation/kind.ts';
import { word } from './protocols/word/kind.ts';
import { word2 } from './protocols/word2/kind.ts';

/** Every kind of database that Granary has, in the order that first start makes them. */
export const allKinds: readonly Kind[] = [translation, word2, word, config];

/** What master and its like offer: SQL Server's own procedures and views; it keeps the logins. */
const system: Kind = {
  name: 'system',
  firstDatabase: 'master',
  procedures: systemProcedures,
  relations: systemRelations,
  schema: accountsSchema,
};

/** The kinds as clients see them: each offers, beside its own, what the system offers. */
export function servedKinds(kinds: readonly Kind[]): Kind[] {
  const complete = kinds.map((kind) => ({
    ...kind,
    procedures: [...kind.procedures, ...system.procedures],
    relations: [...kind.relations, ...system.relations],
  }));
  return [system, ...complete];
}
