import { setTimeout as delay } from 'node:timers/promises';
import type { Address, Endpoint } from './address.ts';
import { addressesOf, hangUp, openSession, type Session, type SessionOptions } from './open-session.ts';

/** Milliseconds after which the next endpoint is tried beside one that has not answered yet. */
const nextAfter = 1000;

/**
 * Opens a session at the first endpoint that will do. Each is tried when the one before it has failed, or beside it when it
 * is slow to answer: a machine that is gone says nothing at all.
 */
export async function findServer(
  address: Address,
  order: readonly Endpoint[],
  options: SessionOptions,
): Promise<Session> {
  const failures: unknown[] = [];
  const found = Promise.withResolvers<Session>();
  let isFound = false;
  const attempt = async (name: string, at: Endpoint): Promise<void> => {
    try {
      const session = await openSession(address, { name, at }, options);
      if (isFound) void hangUp(session.client);
      isFound = true;
      found.resolve(session);
    } catch (error) {
      failures.push(error);
    }
  };
  const tryAll = async (): Promise<void> => {
    const running: Promise<void>[] = [];
    for (const { host, port } of order) {
      const addresses = await addressesOf({ host, port }).catch((error: unknown) => {
        failures.push(error);
        return [];
      });
      for (const at of addresses) {
        if (isFound) return;
        const run = attempt(host, at);
        running.push(run);
        const stop = new AbortController();
        await Promise.race([run, delay(nextAfter, undefined, { signal: stop.signal }).catch(() => {})]);
        stop.abort();
      }
    }
    await Promise.all(running);
    if (!isFound) found.reject(failures.length === 1 ? failures[0] : severalFailures(failures));
  };
  void tryAll();
  return found.promise;
}

/** Limits that a role may have and that a command which reads or writes all of it would meet. */
const unlimited = {
  tcp_user_timeout: '0',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

/** A session for a command that is alone with it, and may be slow to read what it asked for. */
export function connectAlone(address: Address, application: string): Promise<Session> {
  const settings = { application_name: application, ...unlimited };
  return findServer(address, address.endpoints, { settings });
}

/** One error that tells of all; what PostgreSQL itself said counts more than a connection that was not made. */
function severalFailures(failures: readonly unknown[]): unknown {
  const texts = failures.map((error) => (error instanceof Error ? error.message || String(error) : String(error)));
  const error = new Error([...new Set(texts)].join('; '), { cause: failures.at(-1) });
  return Object.assign(error, { code: codeOf(failures) });
}

/** The code that decides whether it is worth another try: any failure that may pass makes it so. */
function codeOf(failures: readonly unknown[]): string {
  const codes = failures.flatMap((error) =>
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? [error.code] : [],
  );
  return codes.find((code) => /^(?:E[A-Z]|57P|08)/.test(code)) ?? codes[0] ?? 'ECONNREFUSED';
}
