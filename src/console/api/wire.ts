import type { RouteEvent } from './declare.ts';
import { route } from './declare.ts';
import { array, boolean, integer, moment, nullable, number, object, oneOf, optional, text } from './schema.ts';

const column = object({ name: text(), type: text() });

const parameter = object({
  name: text(),
  type: text(),
  /** The value as text; null for NULL. */
  value: nullable(text()),
  /** True for documents, tokens and texts of T-SQL, whose size alone is shown. */
  isHidden: boolean(),
  isOutput: boolean(),
});

const wireCall = object({
  id: text(),
  at: moment(),
  session: integer(),
  login: text(),
  host: text(),
  program: text(),
  database: text(),
  name: text(),
  /** The section of a procedure: `MS-TSSPROC 3.1.4.5`. */
  section: nullable(text()),
  /** Where that specification can be read. */
  link: nullable(text()),
  parameters: array(parameter),
  sets: array(object({ columns: array(column), rows: integer() })),
  outputs: array(parameter),
  returned: nullable(integer()),
  error: nullable(object({ number: integer(), message: text() })),
  milliseconds: number(),
});

export const wireEvents = route({
  method: 'GET',
  path: '/api/v1/wire/events',
  role: 'reader',
  summary:
    'Live calls, decoded by declaration, as server-sent events; an admin sees all, others those of their own login.',
  query: {
    procedure: optional(text(128)),
    login: optional(text(128)),
    database: optional(text(128)),
    session: optional(integer(0)),
    /** Those that failed, or those that did not. */
    ended: optional(oneOf('failed', 'well')),
    /** Milliseconds that a call must have taken. */
    slower: optional(number()),
    /** Shows hidden values; for admins, and logged. */
    values: optional(boolean()),
  },
  events: object({
    calls: array(wireCall),
    /** Matching calls that were skipped since the last event, because there were too many. */
    skipped: integer(),
  }),
});

export type WireCall = RouteEvent<typeof wireEvents>['calls'][number];
