import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { clientPackages, windowsPackages } from '../clients/packages.ts';
import { missing, outputOf } from '../clients/run.ts';
import { type KerberosLab, startKerberosLab } from './kerberos-lab.ts';
import { noRealm } from './realm.ts';

const program = join(import.meta.dirname, 'programs/with_gssapi.py');
const { pythonGssapi, gssNtlm } = windowsPackages;
const skip = noRealm() ?? missing(clientPackages.pytds) ?? missing(pythonGssapi) ?? false;

describe('python-tds with the tokens of python-gssapi, where bindings are required', { skip }, () => {
  let lab: KerberosLab;
  let ca: string;
  before(async () => {
    lab = await startKerberosLab({ extendedProtection: 'required', ntlm: 'off' });
    ca = `ca=${lab.server.granary.settings.tlsCert}`;
  });
  after(() => lab?.[Symbol.asyncDispose]());

  async function outcome(...options: readonly string[]): Promise<string[]> {
    const users = join(lab.realm.folder, 'ntlm.users');
    await writeFile(users, 'FARM:crawler:Secret-1\n');
    const environment = { ...lab.realm.environment('alice'), NTLM_USER_FILE: users };
    const output = await outputOf(['/usr/bin/python3', program, String(lab.server.port), ...options], environment);
    return output.trim().split('\n');
  }
  const letIn = (tokens: number) => [`tokens: ${tokens}`, 'called', 'CORP\\Alice'];

  test('raw and inside SPNEGO, one token proves it', async () => {
    assert.deepEqual(await outcome(), letIn(1));
    assert.deepEqual(await outcome('spnego'), letIn(1));
  });

  test('DCE style takes one round trip more, raw and inside SPNEGO', async () => {
    assert.deepEqual(await outcome('dce'), letIn(2));
    assert.deepEqual(await outcome('spnego', 'dce'), letIn(2));
  });

  test('a client that would rather have NTLM is told to take Kerberos, in two round trips more', {
    skip: missing(gssNtlm) ?? false,
  }, async () => {
    assert.deepEqual(await outcome('spnego', 'ntlm-first'), letIn(3));
  });

  test('bindings of the channel let in: tls-unique, tls-server-end-point, in several round trips too', async () => {
    assert.deepEqual(await outcome(ca, 'unique'), letIn(1));
    assert.deepEqual(await outcome(ca, 'spnego', 'end-point'), letIn(1));
    assert.deepEqual(await outcome(ca, 'dce', 'unique'), letIn(2));
  });

  test('bindings of another channel, and none, are refused, and the log tells which', async () => {
    lab.lines.length = 0;
    await assert.rejects(outcome(ca, 'wrong'), /untrusted domain/);
    assert.match(lab.lines.join(''), /channel bindings do not match/);
    lab.lines.length = 0;
    await assert.rejects(outcome(ca), /untrusted domain/);
    assert.match(lab.lines.join(''), /sent no channel bindings, which are required/);
  });
});
