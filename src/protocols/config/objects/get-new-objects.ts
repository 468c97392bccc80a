import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { rowversion, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { configurationObject } from './configuration-object.ts';

const highestOf = { Highest: orNull(rowversion) };
const dependent = { DependantId: uniqueidentifier };
const tombstone = { Id: uniqueidentifier, Version: rowversion };

/** The LastUpdate mark (3.1.5.25.1) above the highest version: below the next one, which is a whole step above. */
const lastUpdateAfter = (highest: bigint): bigint => highest + 2n;

export const getNewObjects = procedure({
  name: 'proc_getNewObjects',
  section: 'MS-WSSCFGD2 3.1.5.25',
  summary: 'Lists the configuration objects stored, changed or removed since a version that the client has.',
  access: 'read',
  params: {
    NewestCachedVersion: nullable(rowversion, 'The newest version that the client has; what is above it is returned.'),
    RequestGuid,
  },
  outcomes: {
    current: { code: 0, meaning: 'Nothing is newer.' },
    ahead: { code: 1, meaning: '@NewestCachedVersion is greater than the highest version.' },
    changed: {
      code: 0,
      meaning: 'What changed, in exactly four result sets.',
      sets: {
        LastUpdate: { Version: rowversion },
        ModifiedObjects: configurationObject,
        Dependencies: dependent,
        Tombstones: tombstone,
      },
    },
  },
  async handle({ db }, { NewestCachedVersion: cached }) {
    if (cached === null) return { outcome: 'current' };
    const highest = await highestVersion(db);
    if (cached === highest || (highest > 0n && cached === lastUpdateAfter(highest))) return { outcome: 'current' };
    if (cached > highest) return { outcome: 'ahead' };
    return { outcome: 'changed', sets: changesBetween(db, cached, highest) };
  },
});

/** The highest version of an object or a tombstone: a removal is a change too. */
async function highestVersion(db: Db): Promise<bigint> {
  const row = await db.first(
    highestOf,
    sql`
      select max(version) as "Highest"
      from (select max(version) as version from objects union all select max(version) from tombstones) as highest`,
  );
  return row?.Highest ?? 0n;
}

/** The upper bound does not change the answer; it tells PostgreSQL's planner that the range is narrow. */
const changesBetween = (db: Db, cached: bigint, highest: bigint) => ({
  LastUpdate: [{ Version: lastUpdateAfter(highest) }],
  ModifiedObjects: db.rows(
    configurationObject,
    sql`
      select id as "Id", parent_id as "ParentId", class_id as "ClassId", name as "Name",
        status as "Status", version as "Version", properties as "Properties"
      from objects where version > ${cached} and version <= ${highest} order by version`,
  ),
  // Here, DependantId is the object that depends; in proc_putDependency it is the one depended upon. "cross join" makes
  // SQLite start with the few changed objects.
  Dependencies: db.rows(
    dependent,
    sql`
      select distinct d.object_id as "DependantId"
      from objects o cross join dependencies d
      where o.version > ${cached} and o.version <= ${highest} and d.dependee_id = o.id`,
  ),
  Tombstones: db.rows(
    tombstone,
    sql`
      select id as "Id", version as "Version"
      from tombstones where version > ${cached} and version <= ${highest} order by version`,
  ),
});
