import { asSid, sidBytes } from '../../base/windows-sid.ts';
import * as t from '../../tds/types/index.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { simple } from './define.ts';

const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex'); // a binary argument

/** Bytes as text and back, as tools ask SQL Server for them under names that are in no documentation. */
export const hexFunctions: Readonly<Record<string, FunctionSpec>> = {
  FN_VARBINTOHEXSTR: simple('binary', t.nvarchar('max'), ([bytes]) => `0x${hex(bytes)}`),
  FN_VARBINTOHEXSUBSTRING: simple('int, binary, int, int', t.nvarchar('max'), ([prefix, bytes, from, count]) => {
    const start = Number(from) - 1;
    if (start < 0 || Number(count) < 0) return null;
    const end = Number(count) === 0 ? undefined : start + Number(count);
    return (Number(prefix) === 0 ? '' : '0x') + hex((bytes as Uint8Array).subarray(start, end)); // a binary argument
  }),
  SID_BINARY: simple('text', t.varbinary(85), ([text]) => {
    const sid = asSid(String(text));
    return sid === undefined ? null : sidBytes(sid);
  }),
};
