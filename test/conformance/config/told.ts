import type { Answer } from '../../support/client.ts';
import { guidOf } from './farm.ts';

const isGuid = /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/i;

/** A value as tedious hands it over, GUIDs in Granary's own writing. */
export const plain = (value: unknown): unknown =>
  typeof value === 'string' && isGuid.test(value) ? guidOf(value) : value;

/** The return code and the rows of each result set; nothing for a call without result sets. */
export function told({ status, sets }: Answer): unknown[] {
  return [status, ...sets.map((rows) => rows.map((row) => Object.values(row).map(plain)))];
}

/** An output value. */
export function given(answer: Answer, name: string): unknown {
  if (!(name in answer.output)) throw new Error(`the output value ${name} did not come back`);
  return plain(answer.output[name]);
}

/** The first column of the first result set, sorted: for sets without an order. */
export function listed({ sets }: Answer): unknown[] {
  return (sets[0] ?? []).map((row) => plain(Object.values(row)[0])).sort();
}
