import type { Steps } from '../../base/threads/steps.ts';
import { ByteReader } from '../byte-reader.ts';
import { malformed } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import type { AnyType } from './sql-type.ts';
import { tableType } from './table-type.ts';
import { readTypeInfo } from './type-info.ts';

/** A table that a client passes: where it is in the message, since its rows would take many times the memory of their bytes. */
export interface PassedTable {
  /** How many columns it has; 0 if the client passed NULL. */
  readonly width: number;
  /** How many rows it has. */
  readonly count: number;
  /** Reads it, while the message is there. */
  read(): TableContents;
}

interface TableContents {
  /** The columns that have values in the rows, by their places from 0; the others are filled by their defaults. */
  readonly columns: readonly { readonly type: AnyType; readonly place: number }[];
  /** The values of these columns, each row read when it is asked for. */
  readonly rows: Iterable<readonly unknown[]>;
}

export const isPassedTable = (value: unknown): value is PassedTable =>
  typeof value === 'object' && value !== null && 'width' in value && 'read' in value;

const typeByte = 0xf3;
const noMetadata = 0xffff;
const mostColumns = 1024;
const endToken = 0x00;
const rowToken = 0x01;
const orderUniqueToken = 0x10;
const columnOrderingToken = 0x11;
/** The flag of a column whose default is to be used (MS-TDS 2.2.5.5.5.2). */
const defaultFlag = 0x200;

/** Values between two turns. */
const between = 1024;

/**
 * Reads the type of a parameter: TYPE_INFO, or the name of a table type (MS-TDS 2.2.5.5.5.1), which nothing else has.
 */
export function readParameterType(bytes: ByteReader, dialect: Dialect): AnyType {
  if (bytes.peek() !== typeByte) return readTypeInfo(bytes, dialect);
  bytes.skip(1);
  const [database, schema, name] = [bytes.bVarchar(), bytes.bVarchar(), bytes.bVarchar()];
  const typeName = { name, ...(schema ? { schema } : {}), ...(database ? { database } : {}) };
  return { ...tableType(typeName), readSteps: readTable };
}

/** MS-TDS 2.2.5.5.5: the columns, their order, and the rows, all of which are read once to check them. */
function* readTable(bytes: ByteReader, dialect: Dialect): Steps<PassedTable> {
  const begin = bytes.position;
  const { width, columns } = readHead(bytes, dialect);
  yield;
  let count = 0;
  let values = 0;
  while (hasRow(bytes)) {
    for (const { type } of columns) type.read(bytes, dialect);
    count++;
    values += columns.length + 1;
    if (values < between) continue;
    values = 0;
    yield;
  }
  const end = bytes.position;
  bytes.rewind(begin);
  const table = bytes.bytes(end - begin);
  return { width, count, read: () => readContents(new ByteReader(table), dialect) };
}

function readContents(bytes: ByteReader, dialect: Dialect): TableContents {
  const { columns } = readHead(bytes, dialect);
  return { columns, rows: readRows(bytes, columns, dialect) };
}

function* readRows(bytes: ByteReader, columns: TableContents['columns'], dialect: Dialect): Generator<unknown[]> {
  while (hasRow(bytes)) yield columns.map(({ type }): unknown => type.read(bytes, dialect));
}

function hasRow(bytes: ByteReader): boolean {
  const token = bytes.u8();
  if (token === rowToken || token === endToken) return token === rowToken;
  throw malformed(`Token 0x${token.toString(16).padStart(2, '0')} has no place in a table.`);
}

/** What stands before the rows. */
function readHead(bytes: ByteReader, dialect: Dialect): Pick<TableContents, 'columns'> & { readonly width: number } {
  const sent = readColumns(bytes, dialect);
  const places = readOptions(bytes, sent.length);
  const columns = sent.flatMap((type, at) => (type === undefined ? [] : [{ type, place: places[at] ?? at }]));
  return { width: sent.length, columns };
}

function readColumns(bytes: ByteReader, dialect: Dialect): (AnyType | undefined)[] {
  const count = bytes.u16();
  if (count === noMetadata) return [];
  if (count === 0 || count > mostColumns) throw malformed(`A table cannot have ${count} columns.`);
  return Array.from({ length: count }, () => {
    bytes.u32();
    const flags = bytes.u16();
    const type = readTypeInfo(bytes, dialect);
    bytes.bVarchar();
    return (flags & defaultFlag) === 0 ? type : undefined;
  });
}

/** Reads what may precede the rows; returns the place of each column, counted from 0, which is its own unless given. */
function readOptions(bytes: ByteReader, count: number): readonly number[] {
  let places: readonly number[] = [];
  for (let token = bytes.u8(); token !== endToken; token = bytes.u8()) {
    if (token === orderUniqueToken) bytes.skip(3 * bytes.u16());
    else if (token === columnOrderingToken) places = Array.from({ length: bytes.u16() }, () => bytes.u16() - 1);
    else throw malformed(`Token 0x${token.toString(16).padStart(2, '0')} has no place before the rows of a table.`);
  }
  const isComplete = places.length === count && new Set(places).size === count;
  if (places.length > 0 && (!isComplete || places.some((place) => place < 0 || place >= count)))
    throw malformed('The columns of a table are not in an order.');
  return places;
}
