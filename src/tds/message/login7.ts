import { ByteReader } from '../byte-reader.ts';
import { malformed } from '../stream-error.ts';
import { tdsVersions } from '../version.ts';
import { structurally } from './structure.ts';

/** A feature that a client requests in FeatureExt. */
export interface Feature {
  readonly id: number;
  readonly data: Uint8Array;
}

/** The ids of features (MS-TDS 2.2.6.4) that Granary knows by name. */
export const featureIds = {
  sessionRecovery: 0x01,
  federatedAuthentication: 0x02,
  utf8: 0x0a,
  terminator: 0xff,
} as const;

/** The content of LOGIN7 (MS-TDS 2.2.6.4). */
export interface Login7 {
  readonly tdsVersion: number;
  /** As requested by the client: 0 leaves the size to the server, and any other number is possible. */
  readonly packetSize: number;
  readonly clientVersion: number;
  readonly clientPid: number;
  readonly connectionId: number;
  readonly optionFlags1: number;
  readonly optionFlags2: number;
  readonly typeFlags: number;
  readonly optionFlags3: number;
  readonly timeZone: number;
  readonly locale: number;
  readonly hostName: string;
  readonly userName: string;
  readonly password: string;
  readonly appName: string;
  readonly serverName: string;
  readonly libraryName: string;
  readonly language: string;
  readonly database: string;
  readonly clientId: Uint8Array;
  readonly sspi: Uint8Array;
  readonly attachDatabaseFile: string;
  readonly newPassword: string;
  readonly features: readonly Feature[];
}

/** The flags of LOGIN7 that Granary evaluates. */
export const loginFlags = {
  /** OptionFlags1: fail if the database cannot be opened. */
  databaseFatal: 0x40,
  /** OptionFlags2: ODBC and similar, whose sessions start with the SET options that ODBC expects. */
  odbc: 0x02,
  /** OptionFlags2: integrated security, with SSPI instead of a password. */
  integratedSecurity: 0x80,
  /** TypeFlags: the client only reads. */
  readOnlyIntent: 0x20,
  /** OptionFlags3: the password is to be changed. */
  changePassword: 0x01,
  /** OptionFlags3: FeatureExt is present, from 7.4 on. */
  extension: 0x10,
} as const;

/** The size of the fixed part; ChangePassword and the long SSPI length came with 7.2. */
export const fixedLength = (atLeast72: boolean): number => (atLeast72 ? 94 : 86);
const longestName = 128;
const longestPath = 260;

/** True for versions that have FeatureExt. */
export const hasFeatures = (version: number): boolean =>
  version === tdsVersions['8.0'] || version >= tdsVersions['7.4'];

/** True for versions that have ChangePassword and cbSSPILong. */
export const hasNewPassword = (version: number): boolean => version === tdsVersions['8.0'] || version >>> 24 >= 0x72;

const swapNibbles = (byte: number): number => ((byte << 4) | (byte >>> 4)) & 0xff;
const mask = 0xa5;

/** Decodes an obfuscated password: nibbles swapped, then XOR with A5. */
export const revealPassword = (bytes: Uint8Array): string =>
  Buffer.from(bytes.map((byte) => swapNibbles(byte ^ mask))).toString('utf16le');

/** Obfuscates a password as LOGIN7 requires. */
export const obscurePassword = (password: string): Buffer =>
  Buffer.from(Buffer.from(password, 'utf16le').map((byte) => swapNibbles(byte) ^ mask));

/** Reads the parts that offsets and lengths point to, validating both. */
class Parts {
  readonly #payload: Uint8Array;
  readonly #fixed: number;
  readonly #table: ByteReader;

  constructor(payload: Uint8Array, table: ByteReader, fixed: number) {
    this.#payload = payload;
    this.#fixed = fixed;
    this.#table = table;
  }

  #at(offset: number, length: number): ByteReader {
    if (length === 0) return new ByteReader(this.#payload, 0, 0);
    if (offset < this.#fixed || offset + length > this.#payload.length) {
      throw malformed('A part of LOGIN7 lies outside the message.');
    }
    return new ByteReader(this.#payload, offset, offset + length);
  }

  /** Bytes whose length is given in characters. */
  wide(longest: number = longestName): ByteReader {
    const offset = this.#table.u16();
    const characters = this.#table.u16();
    if (characters > longest) throw malformed('A name in LOGIN7 is too long.');
    return this.#at(offset, characters * 2);
  }

  text(longest: number = longestName): string {
    const bytes = this.wide(longest);
    return bytes.ucs2(bytes.remaining / 2);
  }

  password(): string {
    const bytes = this.wide();
    return revealPassword(bytes.bytes(bytes.remaining));
  }

  /** An offset and a length in bytes, to be resolved later. */
  pointer(): { offset: number; length: number } {
    return { offset: this.#table.u16(), length: this.#table.u16() };
  }

  bytesAt(offset: number, length: number): Uint8Array {
    return this.#at(offset, length).bytes(length);
  }

  /** FeatureExt: the extension contains another offset, to the features. */
  features(offset: number, length: number): Feature[] {
    const features: Feature[] = [];
    const start = this.#at(offset, length === 0 ? 4 : length).u32();
    if (start < this.#fixed || start >= this.#payload.length) throw malformed('FeatureExt lies outside LOGIN7.');
    const bytes = new ByteReader(this.#payload, start);
    for (let id = bytes.u8(); id !== featureIds.terminator; id = bytes.u8()) {
      features.push({ id, data: bytes.bytes(bytes.u32()) });
    }
    return features;
  }
}

function readNumbers(bytes: ByteReader) {
  return {
    packetSize: bytes.u32(),
    clientVersion: bytes.u32(),
    clientPid: bytes.u32(),
    connectionId: bytes.u32(),
    optionFlags1: bytes.u8(),
    optionFlags2: bytes.u8(),
    typeFlags: bytes.u8(),
    optionFlags3: bytes.u8(),
    timeZone: bytes.i32(),
    locale: bytes.u32(),
  };
}

/** Decodes LOGIN7; throws SqlError 17832 if a length or offset is invalid. */
export function decodeLogin7(payload: Uint8Array): Login7 {
  return structurally(17832, () => {
    const table = new ByteReader(payload);
    const length = table.u32();
    if (length > payload.length) throw malformed('LOGIN7 is shorter than its stated length.');
    const tdsVersion = table.u32();
    const wide = hasNewPassword(tdsVersion);
    if (length < fixedLength(wide)) throw malformed('LOGIN7 is shorter than its fixed part.');
    const numbers = readNumbers(table);
    const parts = new Parts(payload.subarray(0, length), table, fixedLength(wide));
    const hostName = parts.text();
    const userName = parts.text();
    const password = parts.password();
    const appName = parts.text();
    const serverName = parts.text();
    const extension = parts.pointer();
    const libraryName = parts.text();
    const language = parts.text();
    const database = parts.text();
    const clientId = table.bytes(6);
    const sspi = parts.pointer();
    const attachDatabaseFile = parts.text(longestPath);
    const newPassword = wide ? parts.password() : '';
    const longSspi = wide ? table.u32() : 0;
    // tedious at 8.0 sets the flag but no offset.
    const asksFeatures =
      hasFeatures(tdsVersion) && (numbers.optionFlags3 & loginFlags.extension) !== 0 && extension.length > 0;
    return {
      tdsVersion,
      ...numbers,
      ...{ hostName, userName, password, appName, serverName, libraryName, language, database, clientId },
      // A length of FFFF means that the real one did not fit (MS-TDS 2.2.6.4: cbSSPILong).
      sspi: parts.bytesAt(sspi.offset, sspi.length === 0xffff && longSspi > 0 ? longSspi : sspi.length),
      ...{ attachDatabaseFile, newPassword },
      features: asksFeatures ? parts.features(extension.offset, extension.length) : [],
    };
  });
}
