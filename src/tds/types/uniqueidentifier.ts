import { sqlError } from '../../base/messages/sql-error.ts';
import { readGuid, writeGuid } from '../guid.ts';
import { byteLengthType } from './byte-length-type.ts';
import type { SqlType } from './sql-type.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A GUID. */
export const uniqueidentifier: SqlType<string> = byteLengthType(
  {
    name: 'uniqueidentifier',
    declaration: 'uniqueidentifier',
    maxLength: 16,
    precision: 0,
    scale: 0,
    info: [0x24, 16],
    variantByte: 0x24,
    check(value) {
      if (typeof value !== 'string' || !form.test(value)) throw sqlError(8169);
      return value.toLowerCase();
    },
    fromStore: (stored) => String(stored).toLowerCase(),
    toStore: (value) => value,
  },
  { size: 16, write: writeGuid, read: readGuid },
);
