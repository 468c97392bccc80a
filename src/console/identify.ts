import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ConsoleRole } from './answer.ts';
import type { RouteDeclaration } from './api/declare.ts';
import { whoHas } from './check-password.ts';
import type { ConsoleServer } from './console-server.ts';
import { cookieOf, isOwnOrigin, visitCookie } from './headers.ts';
import { refused } from './refusal.ts';
import { roleOf } from './role-of.ts';
import { DatabaseClients, type Visit, type Visits } from './visits.ts';

/** Who asks. */
export interface Caller extends AsyncDisposable {
  readonly login: string;
  readonly role: ConsoleRole;
  readonly clients: DatabaseClients;
  /** Present for somebody with a cookie. */
  readonly visit?: Visit;
  readonly key?: string;
}

const order: readonly ConsoleRole[] = ['reader', 'writer', 'admin'];

/** Finds out who asks, by cookie or by password, and whether the declared role is held; else refuses. */
export async function identify(
  request: IncomingMessage,
  { role: wanted, method }: RouteDeclaration,
  server: ConsoleServer,
  visits: Visits,
): Promise<Caller> {
  const caller = request.headers.authorization?.startsWith('Basic ')
    ? await byPassword(request, server)
    : await byCookie(request, method !== 'GET', server, visits);
  if (wanted !== 'nobody' && order.indexOf(caller.role) < order.indexOf(wanted)) {
    await caller[Symbol.asyncDispose]();
    throw refused(403, `The role ${wanted} is needed; ${caller.login} has ${caller.role}.`);
  }
  return caller;
}

/** For scripts: no browser sends this by itself, since nothing here asks for it, so it needs no other proof. */
async function byPassword(request: IncomingMessage, server: ConsoleServer): Promise<Caller> {
  const [, coded = ''] = (request.headers.authorization ?? '').split(' ');
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(coded, 'base64').toString()) ?? [];
  const principal = await whoHas(server, name, password, request.socket.remoteAddress ?? '');
  if (principal === undefined) throw refused(401, `Login failed for user '${name}'.`);
  if (principal.mustChangePassword) throw refused(401, 'The password must be changed first.');
  const role = (await roleOf(server, principal.login)) ?? 'reader';
  const clients = new DatabaseClients(server, principal.login);
  return { login: principal.login, role, clients, [Symbol.asyncDispose]: () => clients.close() };
}

async function byCookie(
  request: IncomingMessage,
  changes: boolean,
  server: ConsoleServer,
  visits: Visits,
): Promise<Caller> {
  const key = cookieOf(request, visitCookie(request));
  const visit = key === undefined ? undefined : visits.find(key);
  if (key === undefined || visit === undefined) throw refused(401, 'Log in first.');
  if (changes && !(isOwnOrigin(request) && isSame(request.headers['x-granary-csrf'], visit.csrf))) {
    throw refused(403, 'The request does not come from a page of this server: the header X-Granary-CSRF does not fit.');
  }
  const role = await roleOf(server, visit.login);
  if (role === undefined) {
    await visits.end(key);
    throw refused(401, 'The login is not there any more.');
  }
  // A visit keeps its connections for its next request.
  return { login: visit.login, role, clients: visit.clients, visit, key, [Symbol.asyncDispose]: async () => {} };
}

function isSame(given: string | string[] | undefined, wanted: string): boolean {
  const [one, other] = [Buffer.from(`${given}`), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
