import { accountsSchema } from './accounts/schema.ts';
import type { Kind } from './procedure/kind.ts';
import { config } from './protocols/config/kind.ts';
import { search } from './protocols/search/kinds/search.ts';
import { searchAdmin } from './protocols/search/kinds/search-admin.ts';
import { searchCrawl } from './protocols/search/kinds/search-crawl.ts';
import { searchProperty } from './protocols/search/kinds/search-property.ts';
import { translation } from './protocols/translation/kind.ts';
import { word } from './protocols/word/kind.ts';
import { word2 } from './protocols/word2/kind.ts';
import { systemProcedures } from './system/procedures.ts';
import { systemRelations } from './system/relations.ts';

/** Every kind of database that Granary has, in the order that first start makes them. */
export const allKinds: readonly Kind[] = [
  translation,
  word2,
  word,
  config,
  searchAdmin,
  searchCrawl,
  searchProperty,
  search,
];

/** What every database offers besides its own, and all that master and its kin offer. */
const system: Kind = {
  name: 'system',
  firstDatabase: 'master',
  procedures: systemProcedures,
  relations: systemRelations,
  schema: accountsSchema,
};

/** The kinds as sessions see them: each with the system's procedures and views, and the system itself. */
export function withSystem(kinds: readonly Kind[]): readonly Kind[] {
  const served = kinds.map((kind) => ({
    ...kind,
    procedures: [...kind.procedures, ...systemProcedures],
    relations: [...kind.relations, ...systemRelations],
  }));
  return [system, ...served];
}
