import type { ByteWriter } from '../byte-writer.ts';
import { defaultPacketSize } from '../packet/header.ts';
import { tdsVersions } from '../version.ts';
import {
  featureIds,
  fixedLength,
  hasFeatures,
  hasNewPassword,
  type Login7,
  loginFlags,
  obscurePassword,
} from './login7.ts';

/** A login request; what is omitted is empty or 0. */
export type LoginRequest = Partial<Login7> & { readonly userName: string };

const defaults: Login7 = {
  tdsVersion: tdsVersions['7.4'],
  packetSize: defaultPacketSize,
  clientVersion: 0,
  clientPid: 0,
  connectionId: 0,
  // Fail if the database cannot be opened, and report changes of database and language.
  optionFlags1: 0xe0,
  optionFlags2: 0x03,
  typeFlags: 0,
  optionFlags3: 0,
  timeZone: 0,
  locale: 0x0409,
  hostName: '',
  userName: '',
  password: '',
  appName: '',
  serverName: '',
  libraryName: '',
  language: '',
  database: '',
  clientId: new Uint8Array(6),
  sspi: new Uint8Array(0),
  attachDatabaseFile: '',
  newPassword: '',
  features: [],
};

function writeNumbers(out: ByteWriter, login: Login7): void {
  out.u32(login.tdsVersion);
  out.u32(login.packetSize);
  out.u32(login.clientVersion);
  out.u32(login.clientPid);
  out.u32(login.connectionId);
  out.u8(login.optionFlags1);
  out.u8(login.optionFlags2);
  out.u8(login.typeFlags);
  out.u8(login.optionFlags3 | (login.features.length > 0 ? loginFlags.extension : 0));
  out.i32(login.timeZone);
  out.u32(login.locale);
}

function featureBytes(login: Login7): Buffer {
  const parts = login.features.map(({ id, data }) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(id, 0);
    head.writeUInt32LE(data.length, 1);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([...parts, Buffer.of(featureIds.terminator)]);
}

/** Writes LOGIN7 (MS-TDS 2.2.6.4), for clients and tests. */
export function writeLogin7(out: ByteWriter, request: LoginRequest): void {
  const login: Login7 = { ...defaults, ...request };
  const wide = hasNewPassword(login.tdsVersion);
  const withFeatures = hasFeatures(login.tdsVersion) && login.features.length > 0;
  const start = out.length;
  const total = out.slotU32();
  writeNumbers(out, login);
  const data: Uint8Array[] = [];
  let at = fixedLength(wide);
  const part = (bytes: Uint8Array, length: number): void => {
    out.u16(at);
    out.u16(length);
    data.push(bytes);
    at += bytes.length;
  };
  const text = (value: string): void => part(Buffer.from(value, 'utf16le'), value.length);
  text(login.hostName);
  text(login.userName);
  part(obscurePassword(login.password), login.password.length);
  text(login.appName);
  text(login.serverName);
  const extension = Buffer.alloc(withFeatures ? 4 : 0);
  part(extension, extension.length);
  text(login.libraryName);
  text(login.language);
  text(login.database);
  out.bytes(login.clientId);
  part(login.sspi, login.sspi.length);
  text(login.attachDatabaseFile);
  if (wide) {
    part(obscurePassword(login.newPassword), login.newPassword.length);
    out.u32(0);
  }
  if (withFeatures) extension.writeUInt32LE(at);
  for (const bytes of data) out.bytes(bytes);
  if (withFeatures) out.bytes(featureBytes(login));
  out.patchU32(total, out.length - start);
}
