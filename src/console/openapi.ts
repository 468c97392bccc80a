import type { RouteDeclaration } from './api/declare.ts';
import type { Fields, Schema } from './api/schema.ts';

const fault = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        number: { type: 'integer', description: 'The number that SQL Server gives the error.' },
        line: { type: 'integer' },
        procedure: { type: 'string' },
      },
      required: ['message'],
    },
  },
  required: ['error'],
};

/** The interface as OpenAPI describes it, derived from the declarations of its routes. */
export function openApi(routes: readonly RouteDeclaration[], release: string): unknown {
  const paths = Object.groupBy(routes, ({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  return {
    openapi: '3.1.0',
    info: { title: 'Granary', version: release, description: 'The API of the Granary console.' },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, of = []]) => [
        path,
        Object.fromEntries(of.map((route) => [route.method.toLowerCase(), operation(route)])),
      ]),
    ),
    components: {
      schemas: { Fault: fault },
      securitySchemes: {
        password: { type: 'http', scheme: 'basic', description: 'A login of the server, with every request.' },
        windows: {
          type: 'http',
          scheme: 'negotiate',
          description: 'A Windows user, with every request, where the server is set up for it.',
        },
        visit: {
          type: 'apiKey',
          in: 'cookie',
          name: 'granary_PORT',
          description:
            'Set by POST /api/v1/session. Requests that change something also need the header X-Granary-CSRF.',
        },
      },
    },
  };
}

/** Its name, from method and path: getJobsDatabaseJob. */
const operationId = ({ method, path }: RouteDeclaration): string =>
  method.toLowerCase() +
  path
    .slice('/api/v1/'.length)
    .split(/\W+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const token = {
  name: 'X-Granary-CSRF',
  in: 'header',
  required: false,
  description: 'With a session cookie: the value of `csrf` from GET /api/v1/session. Not needed with a password.',
  schema: { type: 'string' },
};

const whoMay: Readonly<Record<RouteDeclaration['role'], string>> = {
  nobody: 'For everybody who reaches the port.',
  reader: 'For every login; of databases it shows what the login has a role on.',
  writer: 'Needs the role writer, on the database that it is about.',
  admin: 'Needs the role admin on all databases.',
};

function operation(route: RouteDeclaration) {
  const { method, path, role, summary, params, query, body, output, events, download, live } = route;
  const content = output
    ? {
        'application/json': { schema: output.json },
        ...(live === undefined ? {} : { 'text/event-stream': { schema: output.json } }),
      }
    : events
      ? { 'text/event-stream': { schema: events.json } }
      : { 'application/octet-stream': {} };
  const followed =
    live === undefined
      ? ''
      : ' Asked for text/event-stream, it sends an event for every change, and an event `fault` with what is in a Fault where there is no answer.';
  return {
    operationId: operationId(route),
    tags: [path.split('/')[3] ?? ''],
    summary,
    description: `${whoMay[role]}${followed}`,
    security: role === 'nobody' ? [] : [{ password: [] }, { windows: [] }, { visit: [] }],
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query),
      ...(method === 'GET' || role === 'nobody' ? [] : [token]),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body.json } } } }),
    responses: {
      200: { description: download ? 'The file.' : events ? 'Events, as they come.' : 'The answer.', content },
      default: {
        description: 'Why not.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Fault' } } },
      },
    },
  };
}

const parameters = (place: 'path' | 'query', fields: Fields) =>
  Object.entries(fields).map(([name, schema]: [string, Schema<unknown>]) => ({
    name,
    in: place,
    required: schema.isOptional !== true,
    schema: schema.json,
  }));
