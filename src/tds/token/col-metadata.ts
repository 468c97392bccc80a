import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { noSubject } from '../stream-error.ts';
import { neverNull } from '../types/never-null.ts';
import { rowversion } from '../types/rowversion.ts';
import type { AnyType } from '../types/sql-type.ts';
import { readTypeInfo } from '../types/type-info.ts';
import type { Dialect } from '../version.ts';
import { tokenTypes } from './token-type.ts';

/** A column as COLMETADATA describes it. */
export interface ColumnInfo {
  readonly name: string;
  readonly type: AnyType;
  readonly nullable: boolean;
  /** True for a table's identity column selected without changes. */
  readonly isIdentity?: boolean;
  /** True for a table's computed column selected without changes. */
  readonly isComputed?: boolean;
  /** The parts of the table's name; a client sees it only with text, ntext and image. */
  readonly table?: readonly string[];
}

/**
 * The flags of MS-TDS 2.2.7.4; whether a column may be updated is "unknown", except for those that nobody can update.
 */
export const columnFlags = { nullable: 0x01, updateableUnknown: 0x08, identity: 0x10, computed: 0x20 } as const;

function flagsOf({ type, nullable, isIdentity, isComputed }: ColumnInfo, dialect: Dialect): number {
  const whether = nullable ? columnFlags.nullable : 0;
  if (isIdentity) return whether | columnFlags.identity;
  if (isComputed) return dialect.atLeast72 ? whether | columnFlags.computed : whether;
  // A SqlDataAdapter accepts rows without a value for a NOT NULL column only if nobody can provide one.
  return type.name === 'timestamp' ? whether : whether | columnFlags.updateableUnknown;
}

/** The form in which the column's values are sent in rows. */
export const formOf = ({ type, nullable }: ColumnInfo): AnyType => (nullable ? type : neverNull(type));

const noMetadata = 0xffff;

/** Writes the UserType: 16 bits before 7.2, 32 from then on. */
export function writeUserType(out: ByteWriter, type: AnyType, dialect: Dialect): void {
  if (dialect.atLeast72) out.u32(type.userType ?? 0);
  else out.u16(type.userType ?? 0);
}

export const readUserType = (bytes: ByteReader, dialect: Dialect): number =>
  dialect.atLeast72 ? bytes.u32() : bytes.u16();

/** The direction of metadata: a client that bulk-loads rows sends the table name in one piece, whatever its version. */
type Direction = 'answer' | 'bulk load';

const inParts = (dialect: Dialect, direction: Direction): boolean => dialect.atLeast72 && direction === 'answer';

function writeTable(out: ByteWriter, table: readonly string[], parts: boolean): void {
  if (!parts) {
    out.usVarchar(table.join('.'));
    return;
  }
  out.u8(table.length);
  for (const part of table) out.usVarchar(part);
}

function readTable(bytes: ByteReader, parts: boolean): string[] {
  if (!parts) return [bytes.usVarchar()];
  return Array.from({ length: bytes.u8() }, () => bytes.usVarchar());
}

/** Writes COLMETADATA (MS-TDS 2.2.7.4). */
export function writeColMetadata(
  out: ByteWriter,
  columns: readonly ColumnInfo[],
  dialect: Dialect,
  direction: Direction = 'answer',
): void {
  out.u8(tokenTypes.colMetadata);
  out.u16(columns.length);
  for (const column of columns) {
    const { name, table = [''] } = column;
    const type = formOf(column);
    writeUserType(out, type, dialect);
    out.u16(flagsOf(column, dialect));
    type.writeInfo(out, dialect);
    if (type.long?.applies(dialect)) writeTable(out, table, inParts(dialect, direction));
    out.bVarchar(name);
  }
}

/** A type as a client sees it: eight bytes with the UserType of timestamp are a row version. */
export const seenType = (type: AnyType, userType: number): AnyType =>
  userType === rowversion.userType && type.name === 'binary' && type.maxLength === 8 ? rowversion : type;

function readColumn(bytes: ByteReader, dialect: Dialect, ordinal: number, parts: boolean): ColumnInfo {
  bytes.subject = { ordinal, name: '' };
  const userType = readUserType(bytes, dialect);
  const flags = bytes.u16();
  const type = seenType(readTypeInfo(bytes, dialect), userType);
  const table = type.long?.applies(dialect) ? { table: readTable(bytes, parts) } : {};
  const name = bytes.bVarchar();
  const nullable = (flags & columnFlags.nullable) !== 0;
  const computed = (flags & columnFlags.computed) !== 0 ? { isComputed: true } : {};
  return { name, type, nullable, isIdentity: (flags & columnFlags.identity) !== 0, ...computed, ...table };
}

/** Reads the token after its first byte; no columns if the sender left out the metadata. */
export function readColMetadata(bytes: ByteReader, dialect: Dialect, direction: Direction = 'answer'): ColumnInfo[] {
  const count = bytes.u16();
  const columns: ColumnInfo[] = [];
  if (count === noMetadata) return columns;
  for (let ordinal = 1; ordinal <= count; ordinal++)
    columns.push(readColumn(bytes, dialect, ordinal, inParts(dialect, direction)));
  bytes.subject = noSubject;
  return columns;
}
