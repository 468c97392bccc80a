import { fold } from '../../base/collation.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { char, datetime, int, smallint } from '../../tds/types/index.ts';
import { catalogOf, created } from '../catalog.ts';
import { schemaIds, sysname } from '../names.ts';
import { constant, view } from './view.ts';

/** Storage of SQL Server 2000 that nobody has any more; SQL Server itself answers 0. */
const reserved = constant({
  info: [smallint, 0],
  status: [int, 0],
  base_schema_ver: [int, 0],
  replinfo: [int, 0],
});
const triggers = constant({
  version: [int, 0],
  deltrig: [int, 0],
  instrig: [int, 0],
  updtrig: [int, 0],
  seltrig: [int, 0],
  category: [int, 0],
  cache: [smallint, 0],
});

const columns = {
  name: sysname,
  id: int,
  xtype: char(2),
  uid: orNull(smallint),
  ...reserved.columns,
  parent_obj: int,
  crdate: datetime,
  ftcatid: orNull(smallint),
  schema_ver: orNull(int),
  stats_schema_ver: orNull(int),
  type: orNull(char(2)),
  userstat: orNull(smallint),
  sysstat: orNull(smallint),
  indexdel: orNull(smallint),
  refdate: datetime,
  ...triggers.columns,
} satisfies Columns;

const letters = { table: 'U', view: 'V' };

/** The objects of the database, as SQL Server 2000 listed them. */
export const sysobjects = view('sys', 'sysobjects', columns, async (call) => {
  const since = await created(call);
  const { procedures, relations } = catalogOf(call);
  // master lists what every database offers, each once.
  const inMaster = fold(call.database) === 'master';
  return [...procedures, ...relations]
    .filter(({ system, schema }) => !system || (inMaster && schema !== 'dbo'))
    .map((of) => {
      const type = 'params' in of ? 'P' : letters[of.type];
      return {
        name: of.name,
        id: of.id,
        xtype: type,
        uid: schemaIds[of.schema] ?? 1,
        ...reserved.values,
        parent_obj: 0,
        crdate: since,
        ftcatid: 0,
        schema_ver: 0,
        stats_schema_ver: 0,
        type,
        userstat: 1,
        sysstat: 0,
        indexdel: 0,
        refdate: since,
        ...triggers.values,
      };
    });
});
