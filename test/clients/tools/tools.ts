import type { Tool } from './asked.ts';
import { dbeaver } from './dbeaver.ts';
import { dbgate } from './dbgate.ts';
import { django } from './django.ts';
import { jdbc, odbc, oleDb, powerBi, sqlClient, sqlcmd } from './drivers.ts';
import { dataGrip, heidiSql, sqlTools, sqlToolsService } from './editors.ts';
import { efCore } from './efcore.ts';
import { dbt, flyway, liquibase } from './migrations.ts';
import { datadog, telegraf } from './monitoring.ts';
import { smo } from './smo.ts';
import { ssms } from './ssms.ts';

/** Every tool whose first statements are under test. */
export const tools: readonly Tool[] = [
  ssms,
  smo,
  sqlToolsService,
  dbeaver,
  dbgate,
  dataGrip,
  heidiSql,
  sqlTools,
  efCore,
  django,
  flyway,
  liquibase,
  dbt,
  telegraf,
  datadog,
  powerBi,
  sqlClient,
  jdbc,
  odbc,
  oleDb,
  sqlcmd,
];
