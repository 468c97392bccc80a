import { byName } from '../../base/by-name.ts';
import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { required } from '../../procedure/param.ts';
import type { DatabaseRole } from '../../procedure/server-view.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { sysname } from '../names.ts';

/** The role of Granary for each of SQL Server's fixed roles. */
const roles: Readonly<Record<string, DatabaseRole>> = byName({
  db_datareader: 'reader',
  db_datawriter: 'writer',
  db_owner: 'admin',
});

/** 15014 for a role that is none of the three; roles are on the databases of protocols, not on the system's. */
function roleOf(name: string, { database, kind }: SystemCall): DatabaseRole {
  if (kind === 'system') throw ruleBroken(`Logins have no roles on ${database}; USE another database first.`);
  const role = roles[fold(name)];
  if (role === undefined) throw sqlError(15014, name);
  return role;
}

const params = {
  rolename: required(sysname, 'db_datareader, db_datawriter or db_owner.'),
  membername: required(sysname, 'The login.'),
};

/** sp_addrolemember: a login has one role on a database, so the new one takes the place of the old. */
export const spAddrolemember = systemProcedure({
  name: 'sp_addrolemember',
  section: systemSection,
  summary: 'Gives a login a role on the current database.',
  access: 'none',
  reservedFor: 'databaseAdmin',
  params,
  outcomes: { done: { code: 0, meaning: 'The login has the role.' } },
  async handle(call, { rolename, membername }) {
    const role = roleOf(rolename, call);
    await call.server.administration.grant(membername, { database: call.database, role });
    return { outcome: 'done' };
  },
});

/** sp_droprolemember: the login that has just this role on the current database has none afterwards. */
export const spDroprolemember = systemProcedure({
  name: 'sp_droprolemember',
  section: systemSection,
  summary: 'Takes a role on the current database away from a login.',
  access: 'none',
  reservedFor: 'databaseAdmin',
  params,
  outcomes: { done: { code: 0, meaning: 'The login does not have the role.' } },
  async handle(call, { rolename, membername }) {
    const role = roleOf(rolename, call);
    const login = (await call.server.logins()).find(({ name }) => fold(name) === fold(membername));
    if (login === undefined) throw sqlError(15151, 'alter', 'login', membername);
    const has = login.roles.some(({ database, role: held }) => fold(database) === fold(call.database) && held === role);
    if (has) await call.server.administration.revoke(login.name, call.database);
    return { outcome: 'done' };
  },
});
