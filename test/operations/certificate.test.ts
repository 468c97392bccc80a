import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { createServer } from '../../src/main.ts';
import { selfSigned } from '../../src/net/self-signed.ts';
import { temporaryFolder } from '../cli/granary.ts';
import { runHere } from '../cli/run-here.ts';
import { until } from '../robustness/support/until.ts';

const year = 365 * 86_400_000;

/** The certificate that is shown at a port. */
async function shownAt(port: number, ALPNProtocols: string[]): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ALPNProtocols, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw).fingerprint256;
}

describe('the certificate of a server that runs for years', () => {
  test('one whose key is too short for TLS ends the start with the reason', async () => {
    await using folder = await temporaryFolder();
    const [cert, key] = [join(folder.path, 'server.pem'), join(folder.path, 'server.key')];
    const request = ['req', '-x509', '-newkey', 'rsa:512', '-nodes', '-subj', '/CN=short', '-days', '9'];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const flags = ['--port', '0', '--data', join(folder.path, 'data'), '--tls-cert', cert, '--tls-key', key];
    const { code, stderr } = await runHere(['serve', ...flags, '--log-level', 'error']);
    assert.equal(code, 1);
    assert.match(stderr, /^granary: The certificate in .*server\.pem cannot be used: .*key too small/m);
  });

  test('one that is put in its place is shown to clients and browsers that come then, without a start', async () => {
    await using folder = await temporaryFolder();
    const [tlsCert, tlsKey] = [join(folder.path, 'server.pem'), join(folder.path, 'server.key')];
    const put = async ({ cert, key }: Awaited<ReturnType<typeof selfSigned>>) => {
      await writeFile(tlsKey, key, { mode: 0o600 });
      await writeFile(tlsCert, cert);
      return new X509Certificate(cert).fingerprint256;
    };
    // It ran out a year ago.
    const old = await put(await selfSigned(['localhost'], new Date(Date.now() - 11 * year)));
    const data = join(folder.path, 'data');
    const settings = settingsWith({ port: 0, httpHost: '0.0.0.0', httpPort: 0, workers: [], data, tlsCert, tlsKey });
    await using granary = createServer(settings, { kinds: [], certificateInterval: 20 });
    await granary.start();
    const httpPort = Number(granary.httpAddress?.split(':')[1]);
    const shown = async () => [await shownAt(granary.port, ['tds/8.0']), await shownAt(httpPort, ['http/1.1'])];
    assert.deepEqual(await shown(), [old, old]);
    const before = await runHere(['status', '--data', data]);
    assert.equal(before.code, 1);
    assert.match(before.stderr, /certificate: it expired on .*a new one in .*server\.pem is picked up within a minute/);
    const fresh = await put(await selfSigned(['localhost'], new Date()));
    await until('the new certificate is shown', async () => (await shown()).every((each) => each === fresh));
    const after = await runHere(['status', '--data', data]);
    assert.equal(after.code, 0, after.stderr);
    assert.match(after.stdout, new RegExp(`certificate valid until ${new Date().getUTCFullYear() + 10}-`));
  });
});
