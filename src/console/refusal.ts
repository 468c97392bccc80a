import { SqlError } from '../base/messages/sql-error.ts';
import { ClientError } from '../client/client-error.ts';
import { Misfit } from './api/schema.ts';

/** The body of a refusal. */
interface Fault {
  readonly message: string;
  readonly number?: number;
  readonly line?: number;
  readonly procedure?: string;
}

/** An answer other than the one that was asked for: a status of HTTP and the reason in words. */
class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly number: number | undefined;
  /** Additional headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, number?: number, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.number = number;
    this.headers = headers;
  }
}

/** Refuses with an HTTP status, and SQL Server's error number if there is one. */
export const refused = (status: number, message: string, number?: number): Refusal =>
  new Refusal(status, message, number);

/** The requested thing does not exist. */
export const notFound = (message: string): Refusal => new Refusal(404, message);

/** An address that does not support the method, with those that it does (RFC 9110 15.5.6); HEAD if it supports GET. */
export const notAllowed = (methods: readonly string[]): Refusal =>
  new Refusal(405, `Only ${methods.join(', ')} is answered here.`, undefined, {
    allow: methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '),
  });

/** Errors of SQL Server for missing permissions. */
const forbidden: ReadonlySet<number> = new Set([229, 230, 262, 300, 916, 6102, 15151, 15247, 15157, 18456]);

/** Errors for a database that does not exist, or is of another kind than the page is for. */
const missing: ReadonlyMap<number, string | undefined> = new Map([
  [4060, undefined],
  [208, 'The database is of another kind: it has no such things.'],
  [2812, 'The database is of another kind: it has no such things.'],
]);

/** A refusal in HTTP. */
interface Refused {
  readonly status: number;
  readonly fault: Fault;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status and message for an exception; undefined for an unexpected one. */
export function faultOf(thrown: unknown): Refused | undefined {
  if (thrown instanceof Refusal) {
    const { status, message, number, headers } = thrown;
    return { status, fault: { message, ...(number === undefined ? {} : { number }) }, headers };
  }
  if (thrown instanceof Misfit) return { status: 400, fault: { message: thrown.message } };
  if (thrown instanceof SqlError) {
    const { number, line, procedure } = thrown;
    const message = missing.get(number) ?? thrown.message;
    const fault = { message, number, line, ...(procedure === '' ? {} : { procedure }) };
    const status = missing.has(number) ? 404 : forbidden.has(number) ? 403 : 422;
    return { status, fault };
  }
  if (thrown instanceof ClientError) {
    return { status: thrown.code === 'timeout' ? 504 : 503, fault: { message: thrown.message } };
  }
  return undefined;
}
