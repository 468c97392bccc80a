import { itemErrors } from './item-errors.ts';

/** The text shown for the error with which an item ended. */
export function failureText(code: number | null, message: string | null): string {
  const text = message ?? Object.values(itemErrors).find((known) => known.code === code)?.text;
  return text === undefined ? `error ${code}` : `error ${code}: ${text}`;
}
