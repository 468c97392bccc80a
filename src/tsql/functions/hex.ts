import * as t from '../../tds/types/index.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { simple } from './define.ts';

const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex'); // a binary argument

/** The bytes of a Windows sid that is written as S-1-5-…; NULL for anything else. */
function sidBytes(text: string): Uint8Array | null {
  const [, authority = '', rest = ''] = /^S-1-(\d{1,15})((?:-\d{1,10}){0,15})$/i.exec(text.trim()) ?? [];
  if (authority === '') return null;
  const parts = rest.split('-').slice(1).map(Number);
  if (Number(authority) >= 2 ** 48 || parts.some((part) => part >= 2 ** 32)) return null;
  const bytes = Buffer.alloc(8 + 4 * parts.length);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt8(parts.length, 1);
  bytes.writeUIntBE(Number(authority), 2, 6);
  for (const [at, part] of parts.entries()) bytes.writeUInt32LE(part, 8 + 4 * at);
  return new Uint8Array(bytes);
}

/** Bytes as text and back, as tools ask SQL Server for them under names that are in no documentation. */
export const hexFunctions: Readonly<Record<string, FunctionSpec>> = {
  FN_VARBINTOHEXSTR: simple('binary', t.nvarchar('max'), ([bytes]) => `0x${hex(bytes)}`),
  FN_VARBINTOHEXSUBSTRING: simple('int, binary, int, int', t.nvarchar('max'), ([prefix, bytes, from, count]) => {
    const start = Number(from) - 1;
    if (start < 0 || Number(count) < 0) return null;
    const end = Number(count) === 0 ? undefined : start + Number(count);
    return (Number(prefix) === 0 ? '' : '0x') + hex((bytes as Uint8Array).subarray(start, end)); // a binary argument
  }),
  SID_BINARY: simple('text', t.varbinary(85), ([text]) => sidBytes(String(text))),
};
