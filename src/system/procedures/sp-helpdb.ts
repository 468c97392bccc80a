import { compare, fold } from '../../base/collation.ts';
import { sqlError } from '../../base/sql-error.ts';
import { orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import type { DatabaseEntry } from '../../procedure/server-view.ts';
import { nchar, nvarchar, smallint, tinyint, varchar } from '../../tds/types/index.ts';
import { collation, sysname } from '../names.ts';
import { unquoted } from '../pattern.ts';
import { compatibilityLevel } from '../version.ts';

const databases = {
  name: sysname,
  db_size: orNull(nvarchar(13)),
  owner: orNull(sysname),
  dbid: smallint,
  created: nvarchar(11),
  status: nvarchar(600),
  compatibility_level: tinyint,
};

/** The files of SQL Server's storage, of which there are none here. */
const files = {
  name: nchar(128),
  fileid: smallint,
  filename: nchar(260),
  filegroup: orNull(nvarchar(128)),
  size: nvarchar(18),
  maxsize: nvarchar(18),
  growth: nvarchar(18),
  usage: varchar(9),
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day as CONVERT(nvarchar(11), …) writes it: `Jan 15 2024`. */
const shortDay = (date: Date): string =>
  `${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} ${date.getUTCFullYear()}`;

const status = `Status=ONLINE, Updateability=READ_WRITE, UserAccess=MULTI_USER, Recovery=FULL, Collation=${collation}`;

const rowOf = ({ name, id, created }: DatabaseEntry, version: string) => ({
  name,
  db_size: null,
  owner: 'sa',
  dbid: id,
  created: shortDay(created),
  status,
  compatibility_level: compatibilityLevel(version),
});

/** sp_helpdb: all databases, or one with its files. */
export const spHelpdb = systemProcedure({
  name: 'sp_helpdb',
  section: systemSection,
  summary: 'Tells about all databases, or about one.',
  access: 'none',
  params: { dbname: optional(sysname, null, 'The database; without it, all.') },
  outcomes: {
    all: { code: 0, meaning: 'All databases.', sets: { databases } },
    one: { code: 0, meaning: 'One database.', sets: { databases, files } },
  },
  async handle({ server }, { dbname }) {
    const entries = [...(await server.databases())].sort((a, b) => compare(a.name, b.name));
    if (dbname === null) {
      return { outcome: 'all', sets: { databases: entries.map((entry) => rowOf(entry, server.version)) } };
    }
    const wanted = fold(unquoted(dbname));
    const entry = entries.find(({ name }) => fold(name) === wanted);
    if (!entry) throw sqlError(15010, dbname);
    return { outcome: 'one', sets: { databases: [rowOf(entry, server.version)], files: [] } };
  },
});
