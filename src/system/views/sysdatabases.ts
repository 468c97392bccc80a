import { type Columns, orNull } from '../../procedure/declare.ts';
import { administratorSid } from '../../procedure/sid.ts';
import { datetime, int, nvarchar, smallint, tinyint, varbinary } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';
import { compatibilityLevel } from '../version.ts';
import { view } from './view.ts';

const columns = {
  name: sysname,
  dbid: smallint,
  sid: varbinary(85),
  mode: smallint,
  status: int,
  status2: int,
  crdate: datetime,
  reserved: datetime,
  category: int,
  cmptlevel: tinyint,
  filename: orNull(nvarchar(260)),
  version: orNull(smallint),
} satisfies Columns;

/** 1900-01-01, SQL Server's word for "no date". */
const noDate = new Date(Date.UTC(1900, 0, 1));

/** The databases, as SQL Server 2000 listed them. */
export const sysdatabases = view('sys', 'sysdatabases', columns, async ({ server }) =>
  (await server.databases()).map(({ name, id, created }) => ({
    name,
    dbid: id,
    sid: administratorSid,
    mode: 0,
    status: 0,
    status2: 0,
    crdate: created,
    reserved: noDate,
    category: 0,
    cmptlevel: compatibilityLevel(server.version),
    filename: null,
    version: null,
  })),
);
