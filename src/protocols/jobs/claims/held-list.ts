import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { jsonArray } from '../../../procedure/json-array.ts';
import type { ItemName } from '../named-item.ts';

/** An item that a worker holds, and the lease under which it holds it. */
export interface HeldItem extends ItemName {
  readonly Lease: bigint;
}

/** The maximum of an item's numbers. */
const largest = { job: 2n ** 63n - 1n, group: 2n ** 15n - 1n, item: 2n ** 31n - 1n, lease: 2n ** 63n - 1n };

/**
 * Parses a JSON array of `{ job, group, item, lease }`; numbers may be strings, since not every language has 64-bit
 * integers.
 */
export function readHeldList(json: string, most: number): HeldItem[] {
  const list = jsonArray('Items', json, 'items');
  if (list.length > most) throw ruleBroken(`@Items has ${list.length} items; ${most} at most are taken at once.`);
  return list.map((value, index) => readHeld(value, `Item ${index + 1} of @Items`));
}

function readHeld(value: unknown, what: string): HeldItem {
  if (typeof value !== 'object' || value === null) throw ruleBroken(`${what} is not an object.`);
  // It comes from JSON, so all properties are its own.
  const given = value as Readonly<Record<string, unknown>>;
  const number = (name: keyof typeof largest): bigint => {
    const read = toBigInt(given[name]);
    if (read !== undefined && read >= 0n && read <= largest[name]) return read;
    throw ruleBroken(`${what} has no ${name}, which is a number from 0 to ${largest[name]}.`);
  };
  return {
    JobId: number('job'),
    GroupId: Number(number('group')),
    ItemId: Number(number('item')),
    Lease: number('lease'),
  };
}

function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : undefined;
}
