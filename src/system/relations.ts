import type { Relation } from '../procedure/relation.ts';
import type { CompatibilityName } from './names.ts';
import { sysAllColumns, sysColumns, sysSystemColumns } from './views/columns.ts';
import {
  sysDefaultConstraints,
  sysForeignKeyColumns,
  sysForeignKeys,
  sysIdentityColumns,
  sysIndexColumns,
} from './views/constraints.ts';
import { sysDatabases } from './views/databases.ts';
import { sysDmExecConnections } from './views/dm-exec-connections.ts';
import { sysDmExecRequests } from './views/dm-exec-requests.ts';
import { sysDmExecSessions } from './views/dm-exec-sessions.ts';
import { sysDmTranLocks } from './views/dm-tran-locks.ts';
import { emptyViews } from './views/empty.ts';
import { isoColumns, isoParameters, isoRoutines, isoSchemata, isoTables } from './views/information-schema.ts';
import {
  isoConstraintColumnUsage,
  isoConstraintTableUsage,
  isoKeyColumnUsage,
  isoReferentialConstraints,
  isoTableConstraints,
  isoViews,
} from './views/iso-constraints.ts';
import {
  sysAllObjects,
  sysAllViews,
  sysIndexes,
  sysKeyConstraints,
  sysObjects,
  sysProcedures,
  sysSqlModules,
  sysSystemObjects,
  sysSystemViews,
  sysTables,
  sysViews,
} from './views/objects.ts';
import { sysDmOsPerformanceCounters, sysDmOsSysInfo } from './views/os.ts';
import { sysAllParameters, sysParameters, sysSystemParameters } from './views/parameters.ts';
import { sysDatabasePrincipals, sysServerPrincipals } from './views/principals.ts';
import { sysConfigurations, sysDmOsHostInfo, sysMessages, sysSchemas } from './views/server.ts';
import {
  sysDatabaseRoleMembers,
  sysDataSpaces,
  sysFilegroups,
  sysServerRoleMembers,
  sysServers,
} from './views/spaces.ts';
import { syscolumns } from './views/syscolumns.ts';
import { sysdatabases } from './views/sysdatabases.ts';
import { syscharsets, syslanguages } from './views/syslanguages.ts';
import { sysmessages } from './views/sysmessages.ts';
import { sysobjects } from './views/sysobjects.ts';
import { sysprocesses } from './views/sysprocesses.ts';
import { systypes } from './views/systypes.ts';
import { sysusers } from './views/sysusers.ts';
import { sysTypes } from './views/types.ts';

const compatibility: Readonly<Record<CompatibilityName, Relation>> = {
  syscharsets,
  syscolumns,
  sysdatabases,
  syslanguages,
  sysmessages,
  sysobjects,
  sysprocesses,
  systypes,
  sysusers,
};

const old = Object.values(compatibility);

/** The catalog views of SQL Server, which every database offers. */
export const systemRelations: readonly Relation[] = [
  sysAllColumns,
  sysAllObjects,
  sysAllParameters,
  sysAllViews,
  sysColumns,
  sysConfigurations,
  sysDatabasePrincipals,
  sysDatabases,
  sysDmExecConnections,
  sysDmExecRequests,
  sysDmExecSessions,
  sysDmOsHostInfo,
  sysDmOsPerformanceCounters,
  sysDmOsSysInfo,
  sysDmTranLocks,
  sysIndexes,
  sysKeyConstraints,
  sysMessages,
  sysObjects,
  sysParameters,
  sysProcedures,
  sysSchemas,
  sysServerPrincipals,
  sysSqlModules,
  sysSystemColumns,
  sysSystemObjects,
  sysSystemParameters,
  sysSystemViews,
  sysTables,
  sysTypes,
  sysViews,
  isoColumns,
  isoParameters,
  isoRoutines,
  isoSchemata,
  isoTables,
  isoConstraintColumnUsage,
  isoConstraintTableUsage,
  isoKeyColumnUsage,
  isoReferentialConstraints,
  isoTableConstraints,
  isoViews,
  sysDatabaseRoleMembers,
  sysDataSpaces,
  sysDefaultConstraints,
  sysFilegroups,
  sysForeignKeyColumns,
  sysForeignKeys,
  sysIdentityColumns,
  sysIndexColumns,
  sysServerRoleMembers,
  sysServers,
  ...emptyViews,
  ...old,
  ...old.map((relation) => ({ ...relation, schema: 'dbo' })),
];
