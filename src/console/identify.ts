import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loginItself, type Vouched } from '../base/vouched.ts';
import type { ConsoleRole } from './answer.ts';
import type { RouteDeclaration } from './api/declare.ts';
import { whoHas } from './check-password.ts';
import type { ConsoleServer } from './console-server.ts';
import { cookieOf, isOfBrowser, isOwnOrigin, visitCookie } from './headers.ts';
import { bringsToken, type Negotiations } from './negotiations.ts';
import { refused } from './refusal.ts';
import { roleOf } from './role-of.ts';
import { DatabaseClients, type Visit, type Visits } from './visits.ts';

/** Who asks. */
export interface Caller extends AsyncDisposable {
  readonly who: Vouched;
  readonly role: ConsoleRole;
  readonly clients: DatabaseClients;
  /** Present for a user with a cookie. */
  readonly visit?: Visit;
  readonly key?: string;
}

/** How much a role may. A login without one may ask what a reader may: which databases that shows is told by each. */
const rank: Readonly<Record<ConsoleRole, number>> = { none: 0, reader: 0, writer: 1, admin: 2 };

/** Where callers are known from. */
interface Known {
  readonly server: ConsoleServer;
  readonly visits: Visits;
  readonly negotiations: Negotiations;
}

/**
 * Finds out who asks, by cookie, by password or as a Windows user, and whether the declared role is held; else refuses.
 */
export async function identify(
  request: IncomingMessage,
  response: ServerResponse,
  { role: wanted, method }: RouteDeclaration,
  known: Known,
): Promise<Caller> {
  const caller = request.headers.authorization?.startsWith('Basic ')
    ? await byPassword(request, known.server)
    : !isOfBrowser(request) && cookieOf(request, visitCookie(request)) === undefined
      ? await byProof(request, response, known)
      : await byCookie(request, method !== 'GET', known);
  if (wanted !== 'nobody' && rank[caller.role] < rank[wanted]) {
    await caller[Symbol.asyncDispose]();
    throw refused(403, `The role ${wanted} is needed; ${caller.who.login} has ${caller.role}.`);
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
  return forOneRequest(server, loginItself(principal.login));
}

async function forOneRequest(server: ConsoleServer, who: Vouched): Promise<Caller> {
  const role = (await roleOf(server, who)) ?? 'none';
  const clients = new DatabaseClients(server, who);
  return { who, role, clients, [Symbol.asyncDispose]: () => clients.close() };
}

/**
 * For scripts of Windows users. A browser would also authenticate its user to pages of others, so it is accepted only
 * at the login address.
 */
async function byProof(
  request: IncomingMessage,
  response: ServerResponse,
  { server, negotiations }: Known,
): Promise<Caller> {
  if (bringsToken(request)) return forOneRequest(server, await negotiations.prove(request, response));
  negotiations.offer(response);
  throw refused(401, 'Log in first.');
}

async function byCookie(request: IncomingMessage, changes: boolean, { server, visits }: Known): Promise<Caller> {
  const key = cookieOf(request, visitCookie(request));
  const visit = key === undefined ? undefined : visits.find(key);
  if (key === undefined || visit === undefined) throw refused(401, 'Log in first.');
  if (changes && !(isOwnOrigin(request) && isSame(request.headers['x-granary-csrf'], visit.csrf))) {
    throw refused(403, 'The request does not come from a page of this server: the header X-Granary-CSRF does not fit.');
  }
  const role = await roleOf(server, visit.who);
  if (role === undefined) {
    await visits.end(key);
    throw refused(401, 'The login no longer exists.');
  }
  // A visit keeps its connections for its next request.
  return { who: visit.who, role, clients: visit.clients, visit, key, [Symbol.asyncDispose]: async () => {} };
}

function isSame(given: string | string[] | undefined, wanted: string): boolean {
  const [one, other] = [Buffer.from(`${given}`), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
