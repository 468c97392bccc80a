import { refused } from '../refusal.ts';

/** A moment in the form of the interface. */
export const isoOf = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** A whole number of 64 bits from text. */
export function bigintOf(text: string, what: string): bigint {
  if (/^-?\d{1,19}$/.test(text)) {
    const value = BigInt(text);
    if (BigInt.asIntN(64, value) === value) return value;
  }
  throw refused(400, `${what} must be a whole number.`);
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An identifier from text. */
export function guidOf(text: string, what: string): string {
  if (guid.test(text)) return text.toLowerCase();
  throw refused(400, `${what} must be an identifier such as 01234567-89ab-cdef-0123-456789abcdef.`);
}

/** A page of rows out of one more than it holds, and whether there is more. */
export function pageOf<T>(rows: readonly T[], limit: number): { readonly page: readonly T[]; readonly more: boolean } {
  return { page: rows.slice(0, limit), more: rows.length > limit };
}
