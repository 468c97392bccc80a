import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { missing, outputOf } from '../clients/run.ts';
import { startLab } from '../robustness/support/lab-server.ts';
import { freePort } from './realm.ts';

const packages = {
  title: 'Samba (a domain controller)',
  debian: ['samba-ad-dc', 'samba-ad-provision', 'python3-samba', 'ldb-tools', 'krb5-user', 'freetds-bin'],
  probe: 'PATH=$PATH:/usr/sbin; command -v samba && command -v samba-tool && command -v ldbmodify && command -v tsql',
};
const asked = process.env['GRANARY_TEST_SAMBA'] === undefined ? 'set GRANARY_TEST_SAMBA to make a domain' : undefined;

/** Makes the domain CORP in a folder: alice is in Farmers, those are in Barn, which is a group of the domain's own machines, and sqlsvc has the service. */
const provision = (port: number, kdc: number) => `
export PATH=$PATH:/usr/sbin
: > none.conf
samba-tool domain provision --configfile=none.conf --realm=CORP.TEST --domain=CORP --server-role=dc --dns-backend=NONE \
  --adminpass='Passw0rd!x' --targetdir=$PWD --host-name=dc1 --host-ip=127.0.0.1 --option="interfaces=lo" \
  --option="bind interfaces only=yes" --option="posix:eadb=$PWD/eadb.tdb" --option="server services=kdc" \
  --option="krb5 port=${kdc}" --option="kpasswd port=${kdc + 1}" >provision.log 2>&1
with="--configfile=etc/smb.conf -H private/sam.ldb"
samba-tool user create alice 'Passw0rd!' $with
samba-tool user create sqlsvc 'Passw0rd!' $with
samba-tool group add Farmers $with
samba-tool group addmembers Farmers alice $with
samba-tool group add Barn --group-scope=Domain $with
samba-tool group addmembers Barn Farmers $with
samba-tool spn add MSSQLSvc/localhost:${port} sqlsvc $with
printf 'dn: CN=sqlsvc,CN=Users,DC=corp,DC=test\\nchangetype: modify\\nreplace: msDS-SupportedEncryptionTypes\\n' > aes.ldif
printf 'msDS-SupportedEncryptionTypes: 24\\n' >> aes.ldif
ldbmodify -H private/sam.ldb aes.ldif
samba-tool domain exportkeytab mssql.keytab --principal=MSSQLSvc/localhost:${port} --configfile=etc/smb.conf
for group in Farmers Barn; do samba-tool group show $group --attributes=objectSid $with; done
`;

test('users of a Samba domain come in through their groups, with the roles of all', {
  skip: asked ?? missing(packages) ?? false,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'granary-samba-'));
  let domain: ChildProcess | undefined;
  try {
    const [port, kdc] = [await freePort(), await freePort()];
    const environment = { KRB5_CONFIG: join(folder, 'krb5.conf'), KRB5CCNAME: `FILE:${join(folder, 'alice.ccache')}` };
    await writeFile(
      environment.KRB5_CONFIG,
      `[libdefaults]\n default_realm = CORP.TEST\n dns_lookup_kdc = false\n dns_canonicalize_hostname = false\n rdns = false\n udp_preference_limit = 1\n[realms]\n CORP.TEST = {\n  kdc = 127.0.0.1:${kdc}\n }\n`,
    );
    const shell = (script: string) => outputOf(['sh', '-ec', `cd ${folder}; ${script}`], environment);
    const [farmers = '', barn = ''] = (await shell(provision(port, kdc))).match(/S-1-5-21-[\d-]+/g) ?? [];
    const command = ['-F', '--no-process-group', `--configfile=${folder}/etc/smb.conf`];
    domain = spawn('/usr/sbin/samba', command, { env: { ...process.env, ...environment }, stdio: 'ignore' });
    Object.assign(process.env, environment);
    await using server = await startLab({ settings: { port, kerberosKeytab: join(folder, 'mssql.keytab') } });
    const { windows } = server.granary.accounts;
    await shell("for i in 1 2 3 4 5 6 7 8 9 10; do echo 'Passw0rd!' | kinit alice && break; sleep 0.5; done");
    /** What alice hears, who reads and writes. */
    const alice = (sql = "exec lab_Count null\\ngo\\nexec lab_Put 1, 'x'") =>
      shell(
        `printf "select original_login()\\ngo\\n${sql}\\ngo\\n" | tsql -H localhost -p ${port} -D Lab 2>&1 || true`,
      );
    assert.match(await alice(), /18456/);
    await windows.create('CORP\\Domain Users', {}, { database: 'Lab', role: 'reader' });
    const asReader = await alice();
    assert.match(asReader, /CORP\\alice/);
    assert.match(asReader, /Msg 229 [^\n]*lab_Put/);
    await windows.create('CORP\\Farmers', { sid: farmers }, { database: 'Lab', role: 'writer' });
    const asWriter = await alice();
    assert.match(asWriter, /CORP\\alice/);
    assert.doesNotMatch(asWriter, /Msg/);
    for (const name of ['CORP\\Domain Users', 'CORP\\Farmers']) await server.granary.accounts.drop(name);
    assert.match(await alice(), /18456/);
    await windows.create('CORP\\Barn', { sid: barn }, { database: 'Lab', role: 'reader' });
    assert.match(await alice(), /CORP\\alice/);
  } finally {
    if (domain !== undefined && domain.exitCode === null) {
      domain.kill();
      await once(domain, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }
});
