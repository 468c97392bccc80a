import { route } from './declare.ts';
import { array, boolean, integer, moment, object, text } from './schema.ts';

const database = object({
  name: text(),
  kind: text(),
  created: moment(),
  isSuspect: boolean(),
  bytes: integer(),
  logBytes: integer(),
});

export const overview = route({
  method: 'GET',
  path: '/api/v1/overview',
  role: 'reader',
  summary: 'Whether all is well, and if not, what is wrong.',
  output: object({ verdict: text(), wrong: array(text()), started: moment(), databases: array(database) }),
});
