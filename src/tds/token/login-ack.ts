import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Feature } from '../message/login7.ts';
import { tdsVersions } from '../version.ts';
import { tokenTypes } from './token-type.ts';

/** The acceptance of a login (MS-TDS 2.2.7.14). */
export interface LoginAck {
  /** Big-endian here, unlike in LOGIN7. */
  readonly tdsVersion: number;
  readonly program: string;
  readonly version: { readonly major: number; readonly minor: number; readonly build: number };
}

const sqlInterface = 1;
const featuresEnd = 0xff;

/** Writes LOGINACK. */
export function writeLoginAck(out: ByteWriter, { tdsVersion, program, version }: LoginAck): void {
  out.u8(tokenTypes.loginAck);
  const slot = out.slotU16();
  out.u8(sqlInterface);
  // The only version whose number differs between LOGINACK and LOGIN7 (MS-TDS 2.2.7.14).
  out.u32be(tdsVersion === tdsVersions['7.0'] ? 0x07000000 : tdsVersion);
  out.bVarchar(program);
  out.u8(version.major);
  out.u8(version.minor);
  out.u16be(version.build);
  out.closeU16(slot);
}

/** Reads the token after its first byte. */
export function readLoginAck(bytes: ByteReader): LoginAck {
  const token = bytes.window(bytes.u16());
  token.skip(1);
  const tdsVersion = token.u32be();
  const program = token.bVarchar();
  return { tdsVersion, program, version: { major: token.u8(), minor: token.u8(), build: token.u16be() } };
}

/** Writes FEATUREEXTACK (MS-TDS 2.2.7.11), which may only contain features that the client requested. */
export function writeFeatureExtAck(out: ByteWriter, features: readonly Feature[]): void {
  out.u8(tokenTypes.featureExtAck);
  for (const { id, data } of features) {
    out.u8(id);
    out.u32(data.length);
    out.bytes(data);
  }
  out.u8(featuresEnd);
}

/** Reads the token after its first byte. */
export function readFeatureExtAck(bytes: ByteReader): Feature[] {
  const features: Feature[] = [];
  for (let id = bytes.u8(); id !== featuresEnd; id = bytes.u8()) {
    features.push({ id, data: bytes.bytes(bytes.u32()) });
  }
  return features;
}
