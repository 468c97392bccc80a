/** Where the hexadecimal digits of each byte stand in the text of a GUID, in the order SQL Server compares the bytes. */
const digits = [24, 26, 28, 30, 32, 34, 19, 21, 16, 14, 11, 9, 6, 4, 2, 0];

/**
 * Text that sorts as SQL Server sorts uniqueidentifiers: the six bytes of the last group first, then the groups from
 * right to left; the first three groups stand on the wire with their bytes reversed, and are compared as they stand.
 */
export function identifierOrder(id: string): string {
  let order = '';
  for (const at of digits) order += id.slice(at, at + 2);
  return order;
}
