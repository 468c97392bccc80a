import { sqlError } from '../../base/messages/sql-error.ts';
import { badValue } from '../stream-error.ts';
import { byteLengthType } from './byte-length-type.ts';
import { dayOf, formatDay, lastDay, startOfDay } from './instant.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';
import { textBefore73 } from './text-before-73.ts';

/** A day from 0001-01-01 to 9999-12-31, as the moment in UTC at which it begins. */
export const date: SqlType<Date> = textBefore73(
  byteLengthType<Date>(
    {
      name: 'date',
      declaration: 'date',
      maxLength: 3,
      precision: 10,
      scale: 0,
      info: [0x28],
      variantByte: 0x28,
      check(value) {
        if (!(value instanceof Date)) throw mismatch(value, 'date');
        const day = dayOf(value);
        if (!(day >= 0 && day <= lastDay)) throw sqlError(242, 'datetime2', 'date');
        return startOfDay(day);
      },
      fromStore: (stored) => new Date(Number(stored)),
      toStore: (value) => value,
    },
    {
      size: 3,
      write: (out, value) => out.uint(dayOf(value), 3),
      read(bytes) {
        const day = bytes.uint(3);
        if (day > lastDay) throw badValue(bytes.subject, 'date');
        return startOfDay(day);
      },
    },
  ),
  10,
  (value) => formatDay(dayOf(value)),
);
