import { byName } from '../../base/by-name.ts';

/** The fixed roles and users that every database has, by name in lower case. */
export const fixedPrincipals: Readonly<Record<string, number>> = byName({
  public: 0,
  dbo: 1,
  guest: 2,
  information_schema: 3,
  sys: 4,
  db_owner: 16384,
  db_accessadmin: 16385,
  db_securityadmin: 16386,
  db_ddladmin: 16387,
  db_backupoperator: 16389,
  db_datareader: 16390,
  db_datawriter: 16391,
  db_denydatareader: 16392,
  db_denydatawriter: 16393,
});
