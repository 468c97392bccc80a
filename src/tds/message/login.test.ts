import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, hex, throwsNumber, withstandsAnything } from '../../../test/support/tds.ts';
import { tdsVersions } from '../version.ts';
import { decodeLogin7, decodePrelogin, encryption, type LoginRequest, writeLogin7, writePrelogin } from './index.ts';
import { obscurePassword, revealPassword } from './login7.ts';

const version = { major: 16, minor: 0, build: 1000, subBuild: 6 };
const prelogin = {
  version,
  encryption: encryption.on,
  instance: 'MSSQLServer',
  threadId: 1234,
  mars: false,
  traceId: Buffer.alloc(36, 7),
  federatedAuthentication: 1,
  nonce: Buffer.alloc(32, 9),
};

test('MS-TDS 2.2.6.5: every option of PRELOGIN comes back', () => {
  assert.deepEqual(decodePrelogin(bytesOf((out) => writePrelogin(out, prelogin))), prelogin);
});

test('MS-TDS 2.2.6.5: the answer of a server, byte for byte', () => {
  const answer = { version, encryption: encryption.required, instance: '', threadId: null, mars: false };
  assert.deepEqual(
    bytesOf((out) => writePrelogin(out, answer)),
    hex('00 001a 0006 01 0020 0001 02 0021 0001 03 0022 0000 04 0022 0001 ff 1000 03e8 0600 03 00 00'),
  );
});

test('MS-TDS 4.1: the PRELOGIN of the specification is read', () => {
  const bytes = hex(
    '00 00 1A 00 06 01 00 20 00 01 02 00 21 00 01 03 00 22 00 04 04 00 26 00 01 FF 09 00 00 00 00 00 01 00 B8 0D 00 00 01',
  );
  assert.deepEqual(decodePrelogin(bytes), {
    version: { major: 9, minor: 0, build: 0, subBuild: 0 },
    encryption: 1,
    instance: '',
    threadId: 0xb80d0000,
    mars: true,
  });
});

test('an option that is not known is passed over', () => {
  assert.deepEqual(decodePrelogin(hex('00 000b 0006 77 0011 0001 ff 1000 03e8 0600 aa')), { version });
});

test('a PRELOGIN that lies is 17828', () => {
  for (const bytes of [
    '',
    '00 0010',
    '00 00ff 0006 ff',
    '00 0006 ffff ff',
    '01 0006 0001 ff 01',
    '00 0006 0006 ff 10',
  ]) {
    throwsNumber(17828, () => decodePrelogin(hex(bytes)));
  }
  withstandsAnything(decodePrelogin, [bytesOf((out) => writePrelogin(out, prelogin))]);
});

const login: LoginRequest = {
  tdsVersion: tdsVersions['7.4'],
  packetSize: 8000,
  clientVersion: 7,
  clientPid: 99,
  connectionId: 5,
  timeZone: -60,
  locale: 0x0409,
  hostName: 'host',
  userName: 'farm',
  password: 'Pä$$wörd',
  appName: 'app',
  serverName: 'server',
  libraryName: 'library',
  language: 'us_english',
  database: 'Config',
  clientId: Buffer.of(1, 2, 3, 4, 5, 6),
  attachDatabaseFile: 'file',
  newPassword: 'next',
  features: [{ id: 0x0a, data: Buffer.of(1) }],
};

test('MS-TDS 2.2.6.4: every field of LOGIN7 comes back', () => {
  const read = decodeLogin7(bytesOf((out) => writeLogin7(out, login)));
  const { optionFlags3, features, clientId, ...rest } = login;
  assert.partialDeepStrictEqual(read, rest);
  assert.deepEqual(Buffer.from(read.clientId), clientId);
  assert.deepEqual(read.features, features);
});

test('MS-TDS 2.2.6.4: a password has its nibbles swapped and is XORed with A5', () => {
  assert.deepEqual(obscurePassword('a'), hex('b3 a5'));
  assert.equal(revealPassword(hex('b3 a5')), 'a');
});

test('before 7.2 there is no new password, and before 7.4 no FeatureExt even when the bit is set', () => {
  for (const tdsVersion of [tdsVersions['7.0'], tdsVersions['7.1']]) {
    const read = decodeLogin7(bytesOf((out) => writeLogin7(out, { ...login, tdsVersion, optionFlags3: 0x10 })));
    assert.equal(read.newPassword, '');
    assert.equal(read.userName, 'farm');
    assert.deepEqual(read.features, []);
  }
  const strict = decodeLogin7(bytesOf((out) => writeLogin7(out, { ...login, tdsVersion: tdsVersions['8.0'] })));
  assert.equal(strict.newPassword, 'next');
  assert.equal(strict.features.length, 1);
});

test('the packet size of a login is what the client asks for, 0 among them', () => {
  const sizeFor = (packetSize: number) =>
    decodeLogin7(bytesOf((out) => writeLogin7(out, { userName: 'a', packetSize }))).packetSize;
  assert.deepEqual([0, 100, 2147483647].map(sizeFor), [0, 100, 2147483647]);
});

test('a LOGIN7 whose lengths or offsets lie is 17832', () => {
  const good = bytesOf((out) => writeLogin7(out, login));
  const broken = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes.writeUInt16LE(value, at);
    return bytes;
  };
  throwsNumber(17832, () => decodeLogin7(Buffer.alloc(0)));
  throwsNumber(17832, () => decodeLogin7(good.subarray(0, 90)));
  throwsNumber(17832, () => decodeLogin7(good.subarray(0, good.length - 1)));
  // The user name: its offset beyond the end, within the fixed part, and its length beyond the end and beyond 128.
  throwsNumber(17832, () => decodeLogin7(broken(40, 0xfff0)));
  throwsNumber(17832, () => decodeLogin7(broken(40, 10)));
  throwsNumber(17832, () => decodeLogin7(broken(42, 128)));
  throwsNumber(17832, () => decodeLogin7(broken(42, 129)));
  // The extension: an offset to nothing.
  throwsNumber(17832, () => decodeLogin7(broken(56, 0xfff0)));
  withstandsAnything(decodeLogin7, [good], 1000);
});
