import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { promisify } from 'node:util';
import { jsonLog, silentLog } from '../base/log/log.ts';
import { keptKeyPair, readKeyPair } from './certificate.ts';
import { addressBytes, selfSigned } from './self-signed.ts';

const now = new Date();
const filesIn = (folder: string) => ({ certFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') });
const temporary = () => mkdtempDisposable(join(tmpdir(), 'granary-tls-'));

async function available(command: string): Promise<boolean> {
  return promisify(execFile)(command, ['version']).then(
    () => true,
    () => false,
  );
}

describe('selfSigned', () => {
  test('makes a certificate that names the host and signs itself, for ten years', async () => {
    const { cert } = await selfSigned(['granary.example', 'localhost', '127.0.0.1', '::1'], now);
    const read = new X509Certificate(cert);
    assert.equal(read.verify(read.publicKey), true);
    assert.equal(read.checkHost('granary.example'), 'granary.example');
    assert.equal(read.checkHost('other.example'), undefined);
    assert.equal(read.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(read.checkIP('::1'), '::1');
    assert.equal(read.ca, false);
    assert.ok(read.validFromDate < now);
    assert.equal(read.validToDate.getUTCFullYear(), now.getUTCFullYear() + 10);
  });

  test('writes moments after 2049 in the long form', async () => {
    const { cert } = await selfSigned(['localhost'], new Date('2045-06-01T00:00:00Z'));
    assert.equal(new X509Certificate(cert).validToDate.toISOString(), '2055-06-01T00:00:00.000Z');
  });

  test('OpenSSL reads it without complaint', async (t: TestContext) => {
    if (!(await available('openssl'))) return t.skip('openssl is not installed');
    await using folder = await temporary();
    const file = join(folder.path, 'server.crt');
    const { cert } = await selfSigned(['localhost', '127.0.0.1'], now);
    await writeFile(file, cert);
    const run = promisify(execFile);
    const { stdout } = await run('openssl', ['x509', '-in', file, '-noout', '-text']);
    assert.match(stdout, /Version: 3/);
    assert.match(stdout, /DNS:localhost, IP Address:127\.0\.0\.1/);
    assert.match(stdout, /TLS Web Server Authentication/);
    const verified = await run('openssl', ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', file, file]);
    assert.match(verified.stdout, /OK/);
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    test(`a client that trusts it connects by name with ${version}`, async () => {
      const pair = await selfSigned(['localhost', '127.0.0.1'], now);
      const server = createServer(pair, (socket) => socket.end('hello')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      assert.ok(address !== null && typeof address === 'object');
      const limits = { minVersion: version, maxVersion: version };
      const socket = connect({ port: address.port, host: '127.0.0.1', ca: pair.cert, ...limits });
      const [data] = await once(socket, 'data');
      assert.equal(String(data), 'hello');
      assert.equal(socket.authorized, true);
      socket.destroy();
      server.close();
      await once(server, 'close');
    });
  }
});

describe('addressBytes', () => {
  test('reads every spelling of an address', () => {
    const hex = (address: string) => addressBytes(address).toString('hex');
    assert.equal(hex('127.0.0.1'), '7f000001');
    assert.equal(hex('::'), '0'.repeat(32));
    assert.equal(hex('::1'), `${'0'.repeat(31)}1`);
    assert.equal(hex('2001:db8::8:800:200c:417a'), '20010db80000000000080800200c417a');
    assert.equal(hex('fe80::1%eth0'), `fe80${'0'.repeat(27)}1`);
    assert.equal(hex('::ffff:192.0.2.1'), `${'0'.repeat(20)}ffffc0000201`);
    assert.equal(hex('1:2:3:4:5:6:7:8'), '00010002000300040005000600070008');
  });
});

describe('keptKeyPair', () => {
  test('makes a pair once, with a key that only its owner reads', async () => {
    await using folder = await temporary();
    const path = join(folder.path, 'tls');
    const first = await keptKeyPair(path, '10.1.2.3', now, silentLog);
    assert.deepEqual(await keptKeyPair(path, '10.1.2.3', now, silentLog), first);
    assert.equal((await stat(join(path, 'server.key'))).mode & 0o777, 0o600);
    const read = new X509Certificate(first.cert);
    assert.equal(read.checkIP('10.1.2.3'), '10.1.2.3');
    assert.equal(read.checkHost('localhost'), 'localhost');
  });

  test('makes a new pair when the old one has run out', async () => {
    await using folder = await temporary();
    const old = await keptKeyPair(folder.path, '127.0.0.1', new Date('2001-01-01T00:00:00Z'), silentLog);
    const fresh = await keptKeyPair(folder.path, '127.0.0.1', now, silentLog);
    assert.notEqual(fresh.cert, old.cert);
    assert.notEqual(fresh.key, old.key);
  });

  test('makes a certificate of a key that is alone, and says so in the log', async () => {
    await using folder = await temporary();
    const messages: string[] = [];
    const log = jsonLog((line) => messages.push(JSON.parse(line).message));
    const first = await keptKeyPair(folder.path, '127.0.0.1', now, log);
    await rm(join(folder.path, 'server.crt'));
    const second = await keptKeyPair(folder.path, '127.0.0.1', now, log);
    assert.equal(second.key, first.key);
    assert.notEqual(second.cert, first.cert);
    assert.deepEqual(await readKeyPair(filesIn(folder.path)), second);
    assert.deepEqual(messages, Array(2).fill('a self-signed certificate was made'));
  });

  test('leaves a certificate without its key, and a key that it cannot use, as they are', async () => {
    await using folder = await temporary();
    const { certFile, keyFile } = filesIn(folder.path);
    const { cert } = await keptKeyPair(folder.path, '127.0.0.1', now, silentLog);
    await rm(keyFile);
    await assert.rejects(keptKeyPair(folder.path, '127.0.0.1', now, silentLog), /server\.key, .* is missing/);
    assert.equal(await readFile(certFile, 'utf8'), cert);
    await rm(certFile);
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await assert.rejects(keptKeyPair(folder.path, '127.0.0.1', now, silentLog), /server\.crt, .* is missing/);
  });

  test('refuses a key that is not the certificate’s', async () => {
    await using folder = await temporary();
    const files = { certFile: join(folder.path, 'a.crt'), keyFile: join(folder.path, 'b.key') };
    await writeFile(files.certFile, (await selfSigned(['a'], now)).cert);
    await writeFile(files.keyFile, (await selfSigned(['b'], now)).key);
    await assert.rejects(readKeyPair(files), /is not that of the certificate/);
    assert.match(await readFile(files.keyFile, 'utf8'), /PRIVATE KEY/);
  });

  test('says of files that hold something else what they should hold', async () => {
    await using folder = await temporary();
    const [certFile, keyFile] = [join(folder.path, 'a.crt'), join(folder.path, 'a.key')];
    const { cert, key } = await selfSigned(['a'], now);
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    await assert.rejects(readKeyPair({ certFile: keyFile, keyFile: certFile }), /a\.key holds no certificate/);
    await assert.rejects(readKeyPair({ certFile, keyFile: certFile }), /a\.crt holds no private key/);
    const locked = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    await writeFile(keyFile, locked);
    await assert.rejects(readKeyPair({ certFile, keyFile }), /a\.key holds .* with a passphrase/);
  });
});
