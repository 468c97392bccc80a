/**
 * The positions of each byte's hexadecimal digits in the text of a GUID, in the order in which SQL Server compares the
 * bytes.
 */
const digits = [24, 26, 28, 30, 32, 34, 19, 21, 16, 14, 11, 9, 6, 4, 2, 0];

/**
 * Text that sorts in the order of SQL Server's uniqueidentifiers: the six bytes of the last group first, then the
 * groups from right to left. The bytes of the first three groups are reversed on the wire and are compared in that
 * order.
 */
export function identifierOrder(id: string): string {
  let order = '';
  for (const at of digits) order += id.slice(at, at + 2);
  return order;
}
