import { type RouteOutput, route } from './declare.ts';
import { array, boolean, integer, nullable, number, object, optional, text } from './schema.ts';

/** Rows of a result set that are shown unless more are asked for. */
export const usualRows = 1000;
const mostRows = 10_000;

const failure = object({
  message: text(),
  number: integer(),
  severity: integer(),
  line: integer(),
  procedure: text(),
});

export const runQuery = route({
  method: 'POST',
  path: '/api/v1/query',
  role: 'reader',
  summary: 'Runs T-SQL as the calling login: read-only, unless an admin permits writing. Disconnecting cancels it.',
  body: object({
    database: text(128),
    text: text(1_000_000),
    rows: optional(integer(1, mostRows)),
    writes: optional(boolean()),
  }),
  output: object({
    sets: array(
      object({
        columns: array(object({ name: text(), type: text(), isNumber: boolean() })),
        /** Values as text, NULL as null; a long one is cut. */
        rows: array(array(nullable(text()))),
        /** True if there were more rows than are included. */
        isCut: boolean(),
      }),
    ),
    messages: array(object({ number: integer(), text: text() })),
    /** Rows that statements changed or sent, as they told. */
    count: integer(),
    milliseconds: number(),
    /** The first error, and those of later statements: most errors end their statement alone. */
    error: nullable(failure),
    moreErrors: array(failure),
  }),
});

export type QueryAnswer = RouteOutput<typeof runQuery>;
export type QueryError = QueryAnswer['moreErrors'][number];
export type QuerySet = QueryAnswer['sets'][number];
