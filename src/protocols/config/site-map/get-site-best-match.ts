import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, optional, output } from '../../../procedure/param.ts';
import { int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { type CollectionType, collectionType } from './collection-type.ts';
import { type Container, containerOf } from './container.ts';
import { collationOrder, prefixRange } from './path-order.ts';
import { countBefore } from './ranks/count-before.ts';
import { liveIn, type Scope } from './ranks/tree.ts';

const match = {
  SiteId: uniqueidentifier,
  DatabaseId: uniqueidentifier,
  ApplicationId: uniqueidentifier,
  Path: nvarchar(128),
  PathKey: nvarchar('max'),
  PathOrder: nvarchar('max'),
};
type Match = Row<typeof match>;

const noMatch = {
  BestMatchSiteId: null,
  BestMatchDatabaseId: null,
  BestMatchApplicationId: null,
  BestMatchOffset: 0,
};

export const getSiteBestMatch = procedure({
  name: 'proc_getSiteBestMatch',
  section: 'MS-WSSCFGD2 3.1.5.28',
  summary: 'Finds the first site collection in path order whose path begins with some text, and how many precede it.',
  access: 'read',
  params: {
    DatabaseId: optional(uniqueidentifier, null, 'Only site collections of this content database; NULL for any.'),
    ApplicationId: optional(uniqueidentifier, null, 'Only site collections of this Web application; NULL for any.'),
    PathSearch: nullable(nvarchar(128), 'The beginning of the path.'),
    BestMatchOffsetScope: optional(int, 0, 'What is counted: 0 all, 1 its Web application, 2 its content database.'),
    CollectionType: nullable(
      int,
      '0 for all, 1 for those that redirect, 2 for those that do not, 3 for upgraded ones.',
    ),
    BestMatchSiteId: output(uniqueidentifier, 'Set to the site collection, or to NULL when none matches.'),
    BestMatchDatabaseId: output(uniqueidentifier, 'Set to its content database.'),
    BestMatchApplicationId: output(uniqueidentifier, 'Set to its Web application.'),
    BestMatchOffset: output(int, 'Set to the number of site collections of the type whose paths precede its own.'),
    RequestGuid,
  },
  outcomes: { told: { code: 0, meaning: 'The outputs tell the best match, if there is one.' } },
  async handle({ db }, input) {
    const type = collectionType(input.CollectionType);
    const container = await containerOf(db, input);
    if (type === undefined || container === undefined || input.PathSearch === null)
      return { outcome: 'told', output: noMatch };
    const best = await firstMatch(db, container, type, input.PathSearch);
    if (best === undefined) return { outcome: 'told', output: noMatch };
    const scope = offsetScope(input.BestMatchOffsetScope, best);
    const offset = await countBefore(db, { order: 'path', scope }, type, collationOrder(best.Path));
    return {
      outcome: 'told',
      output: {
        BestMatchSiteId: best.SiteId,
        BestMatchDatabaseId: best.DatabaseId,
        BestMatchApplicationId: best.ApplicationId,
        BestMatchOffset: offset,
      },
    };
  },
});

async function firstMatch(
  db: Db,
  container: Container,
  type: CollectionType,
  prefix: string,
): Promise<Match | undefined> {
  const { order, key } = prefixRange(prefix);
  // With no upper bound: PostgreSQL takes a range between two parameters for a few rows, and would sort a million.
  const next = await first(db, container, type, sql`path_order >= ${order.from}`);
  if (next === undefined || !next.PathOrder.startsWith(order.from)) return undefined;
  if (next.PathKey.startsWith(key.from)) return next;
  // Paths that differ from the text only in accents sort among those that begin with it.
  const within = sql`
    path_order >= ${order.from} and path_order < ${order.to} and path_key >= ${key.from} and path_key < ${key.to}`;
  return first(db, container, type, within);
}

function first(db: Db, { scope, only }: Container, type: CollectionType, condition: Sql): Promise<Match | undefined> {
  return db.first(
    match,
    sql`
      select id as "SiteId", database_id as "DatabaseId", application_id as "ApplicationId", path as "Path",
        path_key as "PathKey", path_order as "PathOrder"
      from site_map
      where ${liveIn(scope)} and ${type.selected} and ${only ?? sql`1 = 1`} and ${condition}
      order by path_order
      limit 1`,
  );
}

/** Where the preceding site collections are counted; the candidates' limits play no part in it. */
function offsetScope(value: number | null, best: Match): Scope {
  if (value === 1) return { within: 'application', id: best.ApplicationId };
  if (value === 2) return { within: 'database', id: best.DatabaseId };
  return { within: 'farm' };
}
