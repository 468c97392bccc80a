import { SqlError, sqlError } from '../base/messages/sql-error.ts';

/** The parameter of a request that is being read, for errors. */
export interface Subject {
  /** Counted from 1; 0 outside of parameters. */
  readonly ordinal: number;
  readonly name: string;
}

/** The subject of bytes that belong to no parameter. */
export const noSubject: Subject = { ordinal: 0, name: '' };

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** 4002: the stream ended before an announced value did; a reader of chunks waits for more instead. */
export class EndedEarly extends SqlError {
  constructor() {
    super(4002, sqlError(4002).message);
  }
}

export const endedEarly = (): EndedEarly => new EndedEarly();

/** 4002 with a specific reason: the bytes are complete but not allowed. */
export const malformed = (reason: string): SqlError =>
  new SqlError(4002, `The incoming tabular data stream (TDS) protocol stream is incorrect. ${reason}`);

/** 8009: a type byte that MS-TDS 2.2.5.4 does not list, or that Granary refuses. */
export const unknownType = ({ ordinal, name }: Subject, typeByte: number): SqlError =>
  sqlError(8009, ordinal, name, hex(typeByte));

/** 8016: a length that the type cannot have, or a value longer than its TYPE_INFO allows. */
export const badMetadata = ({ ordinal, name }: Subject, typeByte: number): SqlError =>
  sqlError(8016, ordinal, name, hex(typeByte));

/** 8028: a value with an impossible length, such as text of an odd number of bytes. */
export const badLength = ({ ordinal, name }: Subject, typeName: string): SqlError =>
  sqlError(8028, ordinal, name, typeName);

/** 8023: bytes that are not a valid value of their type. */
export const badValue = ({ ordinal, name }: Subject, typeName: string): SqlError =>
  sqlError(8023, ordinal, name, typeName);
