import { type RouteOutput, route } from './declare.ts';
import { array, boolean, integer, moment, number, object, oneOf, text } from './schema.ts';

const database = object({
  name: text(),
  kind: text(),
  created: moment(),
  isSuspect: boolean(),
  bytes: integer(),
  logBytes: integer(),
});

const numbers = array(number());

export const overview = route({
  method: 'GET',
  live: 5_000,
  path: '/api/v1/overview',
  role: 'reader',
  summary: 'Whether all is well, and if not, what is wrong; the databases.',
  output: object({
    level: oneOf('ok', 'warn', 'bad'),
    verdict: text(),
    wrong: array(text()),
    /**
     * What has waited for an operator for too long, in the databases that the login may use, and the page that shows
     * it.
     */
    standstills: array(object({ text: text(), page: text(), link: text() })),
    started: moment(),
    databases: array(database),
    /**
     * The last refused calls, newest first: an admin sees all, others those of their own login. Calls refused for the
     * same reason are combined, with their number.
     */
    refused: array(
      object({
        at: moment(),
        session: integer(),
        login: text(),
        database: text(),
        procedure: text(),
        number: integer(),
        message: text(),
        times: integer(),
      }),
    ),
  }),
});

export const figures = route({
  method: 'GET',
  live: 10_000,
  path: '/api/v1/figures',
  role: 'reader',
  summary: 'Figures of the last hour, one number of each for every moment in `at`.',
  output: object({
    at: array(moment()),
    /** Calls a second. */
    calls: numbers,
    /** Milliseconds that half of the calls stay within. */
    median: numbers,
    /** Milliseconds that 99 of 100 calls stay within. */
    slowest: numbers,
    /** Calls a second that failed. */
    errors: numbers,
    sessions: numbers,
    /** Calls that wait for their turn to write. */
    queue: numbers,
    /** Jobs that are not over. */
    waiting: numbers,
    /** Bytes that all databases take. */
    bytes: numbers,
  }),
});

export type Figures = RouteOutput<typeof figures>;
