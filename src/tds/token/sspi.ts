import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { tokenTypes } from './token-type.ts';

/** Writes SSPI (MS-TDS 2.2.7.22): the server's part of an integrated login. */
export function writeSspi(out: ByteWriter, token: Uint8Array): void {
  out.u8(tokenTypes.sspi);
  out.u16(token.length);
  out.bytes(token);
}

/** Reads the token after its first byte. */
export function readSspi(bytes: ByteReader): Uint8Array {
  return bytes.bytes(bytes.u16());
}
