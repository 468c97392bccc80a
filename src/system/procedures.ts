import type { AnyProcedure } from '../procedure/declare.ts';
import { textOf } from './catalog-text.ts';
import { readProcedures } from './procedure-text.ts';
import { spGetapplock, spReleaseapplock } from './procedures/sp-applock.ts';
import { spColumns, spColumns90, spColumns100 } from './procedures/sp-columns.ts';
import { spConfigure } from './procedures/sp-configure.ts';
import { spCreateDatabase } from './procedures/sp-create-database.ts';
import { spDatabases } from './procedures/sp-databases.ts';
import { spDatatypeInfo, spDatatypeInfo90, spDatatypeInfo100 } from './procedures/sp-datatype-info.ts';
import { spDescribeFirstResultSet, spDescribeUndeclaredParameters } from './procedures/sp-describe.ts';
import { spHelp, spHelptext } from './procedures/sp-help.ts';
import { spHelpindex } from './procedures/sp-helpindex.ts';
import { spFkeys, spPkeys } from './procedures/sp-keys.ts';
import { spColumnPrivileges, spTablePrivileges } from './procedures/sp-privileges.ts';
import {
  spProcedureParams100Managed,
  spProcedureParamsManaged,
  spProcedureParamsRowset,
} from './procedures/sp-procedure-params.ts';
import { spAddrolemember, spDroprolemember } from './procedures/sp-role-member.ts';
import { spServerInfo } from './procedures/sp-server-info.ts';
import { spSpecialColumns, spSpecialColumns90, spSpecialColumns100 } from './procedures/sp-special-columns.ts';
import { spSprocColumns, spSprocColumns90, spSprocColumns100 } from './procedures/sp-sproc-columns.ts';
import { spStatistics, spStatistics100 } from './procedures/sp-statistics.ts';
import { spStoredProcedures } from './procedures/sp-stored-procedures.ts';
import { spTablecollations90, spTablecollations100 } from './procedures/sp-tablecollations.ts';
import { spTables, spTableswc } from './procedures/sp-tables.ts';
import { spWho, spWho2 } from './procedures/sp-who.ts';
import { xpMsver } from './procedures/xp-msver.ts';
import { registryProcedures } from './procedures/xp-regread.ts';

/** The procedures of SQL Server itself, which every database has in addition to its protocol's. */
export const systemProcedures: readonly AnyProcedure[] = [
  spAddrolemember,
  spColumnPrivileges,
  spColumns,
  spColumns90,
  spColumns100,
  spConfigure,
  spCreateDatabase,
  spDatabases,
  spDatatypeInfo,
  spDatatypeInfo90,
  spDatatypeInfo100,
  spDescribeFirstResultSet,
  spDescribeUndeclaredParameters,
  spDroprolemember,
  spFkeys,
  spGetapplock,
  spHelp,
  spHelpindex,
  spHelptext,
  spPkeys,
  spProcedureParams100Managed,
  spProcedureParamsManaged,
  spProcedureParamsRowset,
  spReleaseapplock,
  spServerInfo,
  spSpecialColumns,
  spSpecialColumns90,
  spSpecialColumns100,
  spSprocColumns,
  spSprocColumns90,
  spSprocColumns100,
  spStatistics,
  spStatistics100,
  spStoredProcedures,
  spTablecollations90,
  spTablecollations100,
  spTablePrivileges,
  spTables,
  spTableswc,
  spWho,
  spWho2,
  xpMsver,
  ...registryProcedures,
  ...['help', 'rowsets', 'agent'].flatMap((file) => readProcedures(textOf(`procedures/${file}.sql`, import.meta.url))),
];
