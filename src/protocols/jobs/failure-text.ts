import { itemErrors } from './item-errors.ts';

/** What people are told of the error that an item ended with. */
export function failureText(code: number | null, message: string | null): string {
  const text = message ?? Object.values(itemErrors).find((known) => known.code === code)?.text;
  return text === undefined ? `error ${code}` : `error ${code}: ${text}`;
}
