import { collationBytes } from '../tds/types/collation.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { typeFacts } from './type-facts.ts';

/** How a type goes over the wire: MS-TDS's number of it, and the length that is announced. */
interface TdsForm {
  readonly id: number;
  readonly length: number;
}

const intN = 38;
const floatN = 109;
const moneyN = 110;
const dateTimeN = 111;
const bigBinary = 173;
/** What is announced of every decimal. */
const longestDecimal = 17;
/** The length that means max. */
const unlimited = 65_535;

/** The form in which a type is sent. */
export function tdsForm({ name, maxLength, fixed }: AnyType, nullable = true): TdsForm {
  const { id, family } = typeFacts[name];
  const length = maxLength < 0 ? unlimited : maxLength;
  if (!nullable && fixed !== undefined) return { id: fixed.typeByte, length };
  if (family === 'decimal') return { id, length: longestDecimal };
  if (family === 'integer') return { id: intN, length };
  if (family === 'float') return { id: floatN, length };
  if (family === 'money') return { id: moneyN, length };
  if (name === 'datetime' || name === 'smalldatetime') return { id: dateTimeN, length };
  if (name === 'timestamp') return { id: bigBinary, length };
  return { id, length };
}

const bytes = Buffer.from(collationBytes);

/** The collation of all text in the two numbers that TDS makes of it. */
export const tdsCollation: { readonly id: number; readonly sortId: number } = {
  id: bytes.readInt32LE(0),
  sortId: bytes.readUInt8(4),
};
