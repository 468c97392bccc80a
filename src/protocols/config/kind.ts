import { migrationsIn } from '../../engine/migrations.ts';
import type { Kind } from '../../procedure/kind.ts';
import { distributionListProcedures } from './distribution-lists/procedures.ts';
import { emailProcedures } from './email/procedures.ts';
import { fileProcedures } from './files/procedures.ts';
import { lockProcedures } from './locks/procedures.ts';
import { objectProcedures } from './objects/procedures.ts';
import { configRelations } from './relations.ts';
import { lastVersion } from './row-version.ts';
import { configRules } from './rules.ts';
import { siteMapProcedures } from './site-map/procedures.ts';
import { timerJobProcedures } from './timer-jobs/procedures.ts';
import { versionProcedures } from './versions/procedures.ts';

/** The configuration database of a farm (MS-WSSCFGD2). */
export const config: Kind = {
  name: 'config',
  firstDatabase: 'SharePoint_Config',
  procedures: [
    ...objectProcedures,
    ...fileProcedures,
    ...timerJobProcedures,
    ...lockProcedures,
    ...siteMapProcedures,
    ...emailProcedures,
    ...distributionListProcedures,
    ...versionProcedures,
  ],
  rowVersion: lastVersion,
  rules: configRules,
  relations: configRelations,
  schema: { kind: 'config', migrations: migrationsIn('config', new URL('./migrations/', import.meta.url)) },
};
