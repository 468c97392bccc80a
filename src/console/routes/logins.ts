import { setTimeout } from 'node:timers/promises';
import { keyOf } from '../../accounts/names.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import { quoted } from '../../procedure/describe.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import { type Answering, type Asked, answer, type ConsoleRole } from '../answer.ts';
import { createLogin, dropLogin, grantRole, listLogins, revokeRole, setPassword } from '../api/sessions.ts';
import { refused } from '../refusal.ts';

/** The error of ALTER LOGIN for a wrong old password. */
const wrongOldPassword = 15151;

/** The error of DROP LOGIN while the login is in use. */
const stillUsed = 15434;

/** Milliseconds that sessions have to end in, and between two looks whether they have. */
const patience = 5_000;
const pause = 10;

const isSame = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

const literal = (text: string): string => `N'${text.replaceAll("'", "''")}'`;

/** Logins, their roles and passwords: changed with T-SQL where it has syntax for that, as the requesting login. */
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
  answer(dropLogin, async ({ client, params, query, through, server, door, log }) => {
    if (query.endSessions) {
      if (through.some((name) => isSame(name, params.login)))
        throw refused(422, 'You are logged in so yourself.', stillUsed);
      await door.expel(params.login);
      await endSessionsOf(params.login, server.view);
    }
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
        // SQL Server's message is that the login does not exist or has no permission, which does not help a user who
        // changes their own password.
        const isOwn = through.some((name) => isSame(name, params.login));
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

/** Ends the sessions of the login; one that stays too long, or returns, is reported by what follows. */
async function endSessionsOf(login: string, view: ServerView): Promise<void> {
  const own = () => view.sessions().filter((session) => isSame(session.login, login));
  for (const { spid } of own()) view.endSession(spid);
  for (let left = patience / pause; own().length > 0 && left > 0; left--) await setTimeout(pause);
}

const must = (mustChange: boolean): string => (mustChange ? ' must_change, check_expiration = on' : '');

const logRole = (log: Asked['log'], of: string, database: string, role: string): void =>
  log.warn('a role was changed from the console', { of, database, role });

const roleNamed = (role: string): Exclude<ConsoleRole, 'none'> =>
  role === 'admin' || role === 'writer' ? role : 'reader';
