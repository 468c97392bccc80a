import { type RouteOutput, route } from './declare.ts';
import { array, boolean, integer, moment, nullable, object, oneOf, optional, text } from './schema.ts';

const role = oneOf('reader', 'writer', 'admin');

export const listSessions = route({
  method: 'GET',
  live: 3_000,
  path: '/api/v1/sessions',
  role: 'reader',
  summary: 'Sessions: who is connected, what they run and for whom they wait; an admin sees all, others their own.',
  output: object({
    sessions: array(
      object({
        session: integer(),
        login: text(),
        host: text(),
        program: text(),
        address: text(),
        database: text(),
        connected: moment(),
        isRunning: boolean(),
        /** What runs: the name of a procedure, or `batch`. */
        command: nullable(text()),
        /** Since when that runs. */
        since: nullable(moment()),
        transactions: integer(),
        encrypted: boolean(),
        waitsFor: nullable(object({ session: integer(), resource: text(), milliseconds: integer() })),
      }),
    ),
  }),
});

export const endSession = route({
  method: 'POST',
  path: '/api/v1/sessions/:session/end',
  role: 'admin',
  summary: 'Ends a session, as KILL does; uncommitted work is rolled back.',
  params: { session: integer(1) },
  output: object({ ended: boolean() }),
});

export const listLogins = route({
  method: 'GET',
  path: '/api/v1/logins',
  role: 'reader',
  summary: 'Logins and their roles; an admin sees all, others their own.',
  output: object({
    logins: array(
      object({
        name: text(),
        kind: oneOf('sql', 'user', 'group'),
        created: moment(),
        roles: array(object({ database: text(), role })),
      }),
    ),
    databases: array(text()),
  }),
});

export const createLogin = route({
  method: 'POST',
  path: '/api/v1/logins',
  role: 'admin',
  summary: 'Creates a login with a password, which must be changed at the next login only if `mustChange` says so.',
  body: object({ name: text(128), password: text(128), mustChange: optional(boolean()) }),
  output: object({ name: text() }),
});

export const dropLogin = route({
  method: 'DELETE',
  path: '/api/v1/logins/:login',
  role: 'admin',
  summary: 'Drops a login that is not in use, with its roles; `endSessions` first ends its sessions and consoles.',
  params: { login: text(128) },
  query: { endSessions: optional(boolean()) },
  output: object({ dropped: boolean() }),
});

export const setPassword = route({
  method: 'PUT',
  path: '/api/v1/logins/:login/password',
  role: 'reader',
  summary: 'Sets the password of a login: an admin that of any login, others their own with the old password.',
  params: { login: text(128) },
  body: object({ password: text(128), oldPassword: optional(text(128)), mustChange: optional(boolean()) }),
  output: object({ changed: boolean() }),
});

export const grantRole = route({
  method: 'PUT',
  path: '/api/v1/logins/:login/roles/:database',
  role: 'admin',
  summary: 'Grants a login a role on a database, or on all with *, replacing its previous one there.',
  params: { login: text(128), database: text(128) },
  body: object({ role }),
  output: object({ role }),
});

export const revokeRole = route({
  method: 'DELETE',
  path: '/api/v1/logins/:login/roles/:database',
  role: 'admin',
  summary: 'Revokes the role of a login on a database, or on *.',
  params: { login: text(128), database: text(128) },
  output: object({ revoked: boolean() }),
});

export type SessionRow = RouteOutput<typeof listSessions>['sessions'][number];
export type LoginRow = RouteOutput<typeof listLogins>['logins'][number];
