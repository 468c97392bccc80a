import { sqlError } from '../../base/messages/sql-error.ts';
import type { AnyType } from '../types/sql-type.ts';
import { guidFromBytes } from './bytes.ts';
import { familyOf } from './families.ts';

const form =
  /^(?:\{([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}).*)$/is;

/** A value as a uniqueidentifier; text after the 36th character is ignored, as in SQL Server. */
export function toGuid(value: unknown, from: AnyType): string {
  if (familyOf(from.name) === 'bytes') {
    const bytes = value as Uint8Array;
    if (bytes.length < 16) throw sqlError(8169);
    return guidFromBytes(bytes);
  }
  const found = form.exec(String(value).trimStart());
  const guid = found?.[1] ?? found?.[2];
  if (guid === undefined) throw sqlError(8169);
  return guid.toLowerCase();
}
