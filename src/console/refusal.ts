import { SqlError } from '../base/sql-error.ts';
import { ClientError } from '../client/client-error.ts';
import { Misfit } from './api/schema.ts';

/** What a caller is told when it is not answered. */
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

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Refuses with a status of HTTP. */
export const refused = (status: number, message: string): Refusal => new Refusal(status, message);

/** What was asked for is not there. */
export const notFound = (message: string): Refusal => new Refusal(404, message);

/** Errors of SQL Server that say that the login may not. */
const forbidden: ReadonlySet<number> = new Set([229, 230, 262, 300, 916, 4060, 6102, 15151, 15247, 15157, 18456]);

/** Which status, and which words, what was thrown comes to; undefined for what nobody foresaw. */
export function faultOf(thrown: unknown): { readonly status: number; readonly fault: Fault } | undefined {
  if (thrown instanceof Refusal) return { status: thrown.status, fault: { message: thrown.message } };
  if (thrown instanceof Misfit) return { status: 400, fault: { message: thrown.message } };
  if (thrown instanceof SqlError) {
    const { message, number, line, procedure } = thrown;
    const fault = { message, number, line, ...(procedure === '' ? {} : { procedure }) };
    return { status: forbidden.has(number) ? 403 : 422, fault };
  }
  if (thrown instanceof ClientError) {
    return { status: thrown.code === 'timeout' ? 504 : 503, fault: { message: thrown.message } };
  }
  return undefined;
}
