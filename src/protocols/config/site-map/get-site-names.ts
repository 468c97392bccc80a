import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bit, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { collectionType } from './collection-type.ts';
import { liveIn, type Scope } from './ranks/tree.ts';

const names = { Path: nvarchar(128), HostHeaderIsSiteName: bit };

export const getSiteNames = procedure({
  name: 'proc_getSiteNames',
  section: 'MS-WSSCFGD2 3.1.5.32',
  summary: 'Lists the paths of the site collections in a Web application or content database, in path order.',
  access: 'read',
  params: {
    ContainerId: nullable(uniqueidentifier, 'The Web application or content database.'),
    ContainerType: nullable(int, '0 for a Web application, 1 for a content database.'),
    CollectionType: nullable(int, '0 for all, 1 for those that redirect, 2 for those that do not.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The paths that were found.', sets: { names } } },
  handle({ db }, { ContainerId, ContainerType, CollectionType }) {
    const scope = ContainerId === null ? undefined : scopeOf(ContainerType, ContainerId);
    // Type 3, those that were upgraded, is for proc_getSiteBestMatch and proc_getSiteSubset only.
    const type = CollectionType === 3 ? undefined : collectionType(CollectionType);
    if (scope === undefined || type === undefined) return { outcome: 'found', sets: { names: [] } };
    const rows = db.rows(
      names,
      sql`
        select path as "Path", host_header_is_site_name as "HostHeaderIsSiteName" from site_map
        where ${liveIn(scope)} and ${type.selected}
        order by path_order`,
    );
    return { outcome: 'found', sets: { names: rows } };
  },
});

function scopeOf(containerType: number | null, id: string): Scope | undefined {
  if (containerType === 0) return { within: 'application', id };
  if (containerType === 1) return { within: 'database', id };
  return undefined;
}
