import { SqlError } from '../../base/sql-error.ts';
import { quoted } from '../../procedure/describe.ts';
import { type Answering, type Asked, answer, type ConsoleRole } from '../answer.ts';
import { createLogin, dropLogin, grantRole, listLogins, revokeRole, setPassword } from '../api/sessions.ts';
import { refused } from '../refusal.ts';

/** What ALTER LOGIN answers where the old password is another. */
const wrongOldPassword = 15151;

const literal = (text: string): string => `N'${text.replaceAll("'", "''")}'`;

/** Logins, their roles and passwords: what T-SQL has words for is said in T-SQL, as the login that asks. */
export const loginRoutes: readonly Answering[] = [
  answer(listLogins, async ({ server: { view }, role, through }) => {
    const logins = (await view.logins()).filter(({ name }) => role === 'admin' || through.includes(name));
    const databases = (await view.databases()).filter(({ kind }) => kind !== 'system').map(({ name }) => name);
    return {
      logins: logins.map(({ name, kind, created, roles }) => ({
        name,
        kind,
        created: created.toISOString(),
        roles: roles.map(({ database, role: held }) => ({ database, role: roleNamed(held) })),
      })),
      databases: role === 'admin' ? databases : [],
    };
  }),
  answer(createLogin, async ({ client, body: { name, password, mustChange = false }, log }) => {
    await client('master').query(
      `create login ${quoted(name)} with password = ${literal(password)}${must(mustChange)}`,
    );
    log.warn('a login was made from the console', { made: name });
    return { name };
  }),
  answer(dropLogin, async ({ client, params, log }) => {
    await client('master').query(`drop login ${quoted(params.login)}`);
    log.warn('a login was dropped from the console', { dropped: params.login });
    return { dropped: true };
  }),
  answer(setPassword, async ({ client, params, body, role, through, log }) => {
    const { password, oldPassword, mustChange = false } = body;
    if (role !== 'admin' && mustChange) throw refused(403, 'Only an admin may ask for a change of the password.');
    const old = oldPassword === undefined ? '' : ` old_password = ${literal(oldPassword)}`;
    const statement = `alter login ${quoted(params.login)} with password = ${literal(password)}${old || must(mustChange)}`;
    await client('master')
      .query(statement)
      .catch((error: unknown) => {
        // SQL Server says then that the login does not exist or may not, which is no help to the one whose password it is.
        const isOwn = through.some((name) => name.toLowerCase() === params.login.toLowerCase());
        if (isOwn && oldPassword !== undefined && error instanceof SqlError && error.number === wrongOldPassword) {
          throw refused(403, 'The old password is not right.', wrongOldPassword);
        }
        throw error;
      });
    log.warn('a password was set from the console', { of: params.login });
    return { changed: true };
  }),
  answer(grantRole, async ({ server, params: { login, database }, body: { role }, log }) => {
    await server.view.administration.grant(login, { database, role });
    logRole(log, login, database, role);
    return { role };
  }),
  answer(revokeRole, async ({ server, params: { login, database }, log }) => {
    const revoked = await server.view.administration.revoke(login, database);
    logRole(log, login, database, 'none');
    return { revoked };
  }),
];

const must = (mustChange: boolean): string => (mustChange ? ' must_change, check_expiration = on' : '');

const logRole = (log: Asked['log'], of: string, database: string, role: string): void =>
  log.warn('a role was changed from the console', { of, database, role });

const roleNamed = (role: string): ConsoleRole => (role === 'admin' || role === 'writer' ? role : 'reader');
