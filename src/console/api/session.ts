import { route } from './declare.ts';
import { boolean, moment, object, oneOf, optional, text } from './schema.ts';

const whoami = {
  login: text(),
  /** The strongest that the login has anywhere; an admin's only where it holds on all databases. */
  role: oneOf('none', 'reader', 'writer', 'admin'),
  /** The value of the header X-Granary-CSRF that a changing request needs in addition to the cookie. */
  csrf: text(),
  expires: moment(),
  server: text(),
  release: text(),
  engine: text(),
};

export const logIn = route({
  method: 'POST',
  path: '/api/v1/session',
  role: 'nobody',
  summary: 'Logs in with a login of the server and its password; the answer sets the cookie of a session.',
  body: object({ login: text(128), password: text(128), newPassword: optional(text(128)) }),
  output: object(whoami),
});

export const logInWithWindows = route({
  method: 'POST',
  path: '/api/v1/session/negotiate',
  role: 'nobody',
  summary:
    'Logs in a Windows user by the header Authorization: Negotiate (RFC 4559), which 401 asks for; the answer sets the cookie of a session.',
  output: object(whoami),
});

export const waysToLogIn = route({
  method: 'GET',
  path: '/api/v1/session/ways',
  role: 'nobody',
  summary: 'The ways to log in besides a password.',
  output: object({
    /** True where users of a Windows domain log in by Kerberos. */
    windows: boolean(),
  }),
});

export const whoAmI = route({
  method: 'GET',
  path: '/api/v1/session',
  role: 'reader',
  summary: 'Who is logged in, with which role, until when.',
  output: object(whoami),
});

export const logOut = route({
  method: 'DELETE',
  path: '/api/v1/session',
  role: 'reader',
  summary: 'Ends the session of the console.',
  output: object({ ended: boolean() }),
});
