import { setTimeout as delay } from 'node:timers/promises';
import type { Address, Endpoint } from './address.ts';
import { addressesOf, hangUp, openSession, type Session, type SessionOptions } from './open-session.ts';

/** Milliseconds after which the next endpoint is tried in parallel with one that has not answered yet. */
const nextAfter = 1000;

/**
 * Opens a session with the first acceptable endpoint. Each is tried when the previous one has failed, or in parallel
 * with it when that is slow to answer: a host that is down does not answer at all.
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

/** Overrides timeouts that a role may have set and that a command which reads or writes everything would exceed. */
const unlimited = {
  tcp_user_timeout: '0',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

/** Opens a session for a command that has it to itself, and may be slow to read the result. */
export function connectAlone(address: Address, application: string): Promise<Session> {
  const settings = { application_name: application, ...unlimited };
  return findServer(address, address.endpoints, { settings });
}

/** One error for all failures; what PostgreSQL itself reported takes precedence over a failed connection. */
function severalFailures(failures: readonly unknown[]): unknown {
  const texts = failures.map((error) => (error instanceof Error ? error.message || String(error) : String(error)));
  const error = new Error([...new Set(texts)].join('; '), { cause: failures.at(-1) });
  return Object.assign(error, { code: codeOf(failures) });
}

/** The code that decides whether to retry: any transient failure is enough. */
function codeOf(failures: readonly unknown[]): string {
  const codes = failures.flatMap((error) =>
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? [error.code] : [],
  );
  return codes.find((code) => /^(?:E[A-Z]|57P|08)/.test(code)) ?? codes[0] ?? 'ECONNREFUSED';
}
