import type { Row } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, optional } from '../../../procedure/param.ts';
import { int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { firstRow } from '../row-window.ts';
import { type CollectionType, collectionType } from './collection-type.ts';
import { type Container, containerOf } from './container.ts';
import { type Direction, seek } from './ranks/seek.ts';
import { liveIn } from './ranks/tree.ts';

const sites = { Id: uniqueidentifier, Path: nvarchar(128) };
type Sites = AsyncIterable<Row<typeof sites>>;

export const getSiteSubset = procedure({
  name: 'proc_getSiteSubset',
  section: 'MS-WSSCFGD2 3.1.5.38',
  summary: 'Returns one page of the site collections of a Web application and content database, by identifier.',
  access: 'read',
  params: {
    DatabaseId: optional(uniqueidentifier, null, 'The content database; NULL for all.'),
    ApplicationId: optional(uniqueidentifier, null, 'The Web application; NULL for all.'),
    PageSize: nullable(int, 'The most rows to return.'),
    StartRow: nullable(int, 'The index of the first row to return, counted from 0.'),
    SortDirection: nullable(nvarchar(4), 'DESC for descending, else ascending.'),
    CollectionType: nullable(
      int,
      '0 for all, 1 for those that redirect, 2 for those that do not, 3 for upgraded ones.',
    ),
  },
  outcomes: { found: { code: 0, meaning: 'The site collections of the page.', sets: { sites } } },
  async handle({ db }, input) {
    const type = collectionType(input.CollectionType);
    const container = await containerOf(db, input);
    const rows = input.PageSize ?? 0;
    if (type === undefined || container === undefined || rows <= 0) return { outcome: 'found', sets: { sites: [] } };
    const direction = fold(input.SortDirection ?? '') === 'desc' ? 'descending' : 'ascending';
    const page = { start: firstRow(input.StartRow), rows, direction } as const;
    return { outcome: 'found', sets: { sites: (await pageOf(db, container, type, page)) ?? [] } };
  },
});

interface Page {
  readonly start: number;
  readonly rows: number;
  readonly direction: Direction;
}

async function pageOf(db: Db, container: Container, type: CollectionType, page: Page): Promise<Sites | undefined> {
  const { scope, only } = container;
  const selected = sql`${liveIn(scope)} and ${type.selected} and ${only ?? sql`1 = 1`}`;
  // The ranks count whole scopes; without them, as for the first page, rows are stepped over one by one.
  if (page.start === 0 || only !== undefined) return readFrom(db, selected, page, page.start);
  const place = await seek(db, { order: 'id', scope }, type, page.start, page.direction);
  if (place === undefined) return undefined;
  const begun =
    page.direction === 'ascending'
      ? sql`${selected} and id_order >= ${place.low}`
      : sql`${selected} and id_order < ${place.high}`;
  return readFrom(db, begun, page, place.skip);
}

const sorted = { ascending: sql`id_order`, descending: sql`id_order desc` };

function readFrom(db: Db, selected: Sql, { rows, direction }: Page, skip: number): Sites {
  return db.rows(
    sites,
    sql`
      select id as "Id", path as "Path" from site_map where ${selected}
      order by ${sorted[direction]} limit ${rows} offset ${skip}`,
  );
}
