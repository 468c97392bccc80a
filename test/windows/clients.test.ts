import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { clientPackages, jdbcJar, windowsPackages } from '../clients/packages.ts';
import { missing, outputOf } from '../clients/run.ts';
import { TestClient } from '../support/client.ts';
import { type KerberosLab, startKerberosLab } from './kerberos-lab.ts';
import { noRealm } from './realm.ts';

const folder = join(import.meta.dirname, 'programs');
const java = ['java', '-XX:TieredStopAtLevel=1', '-cp', `/usr/share/java/jtds.jar:${jdbcJar}`];
const python = '/usr/bin/python3';
const query = "exec lab_Echo 'called'\\ngo\\nselect original_login()\\ngo\\n";

describe('clients of Windows authentication', { skip: noRealm() ?? false }, () => {
  let lab: KerberosLab;
  before(async () => {
    lab = await startKerberosLab();
  });
  after(() => lab?.[Symbol.asyncDispose]());

  /** Runs a program as alice, who has a ticket; it must call a procedure and see its name. */
  async function sees(name: string, command: readonly string[], environment: Record<string, string> = {}) {
    const output = await outputOf(command, { ...lab.realm.environment('alice'), ...environment });
    assert.match(output, /called|63616c6c6564/); // bsqldb shows long text in hexadecimal
    assert.ok(output.toLowerCase().includes(name.toLowerCase()), output);
  }

  const shell = (script: string): string[] => ['sh', '-ec', script];
  const port = () => lab.server.port;
  const driver = '$(ls /usr/lib/*/odbc/libtdsodbc.so | head -n 1)';
  const { tsql, bsqldb, isql, pymssql, pytds, jtds, mono } = clientPackages;
  const { pythonKerberos, gssNtlm } = windowsPackages;

  test('tsql by Kerberos', { skip: missing(tsql) ?? false }, () =>
    sees('CORP\\Alice', shell(`printf '${query}' | tsql -H localhost -p ${port()} -D Lab 2>&1`)),
  );

  test('tsql by NTLM', { skip: missing(tsql) ?? false }, () =>
    sees(
      'FARM\\crawler',
      shell(`printf '${query}' | tsql -H localhost -p ${port()} -D Lab -U 'FARM\\crawler' -P Secret-1 2>&1`),
    ),
  );

  test('bsqldb by Kerberos', { skip: missing(bsqldb) ?? false }, async () => {
    const conf = join(lab.realm.folder, 'freetds.conf');
    await writeFile(conf, `[granary]\nhost = localhost\nport = ${port()}\ntds version = 7.4\n`);
    await sees('CORP\\Alice', shell(`printf '${query}' | bsqldb -S granary -D Lab 2>&1`), { FREETDSCONF: conf });
  });

  test('tdsodbc by Kerberos', { skip: missing(isql) ?? false }, () => {
    const options = `Server=localhost;Port=${port()};TDS_Version=7.4;Trusted_Connection=Yes;Database=Lab`;
    const statements = "exec lab_Echo 'called'\\nselect original_login()\\n";
    return sees('CORP\\Alice', shell(`printf '${statements}' | isql -v -b -k "Driver=${driver};${options}" 2>&1`));
  });

  test('pymssql by Kerberos', { skip: missing(pymssql) ?? false }, () =>
    sees('CORP\\Alice', [python, join(folder, 'with_pymssql.py'), String(port())]),
  );

  test('python-tds by Kerberos', { skip: missing(pytds) ?? missing(pythonKerberos) ?? false }, () =>
    sees('CORP\\Alice', [python, join(folder, 'with_pytds.py'), String(port())]),
  );

  /** Java with the ticket of alice. */
  async function javaWithTicket(): Promise<readonly string[]> {
    const { KRB5_CONFIG = '', KRB5CCNAME = '' } = lab.realm.environment('alice');
    const cache = KRB5CCNAME.replace('FILE:', '');
    const jaas = join(lab.realm.folder, 'jaas.conf');
    const module = `com.sun.security.auth.module.Krb5LoginModule required useTicketCache=true ticketCache="${cache}"`;
    await writeFile(jaas, `com.sun.security.jgss.initiate { ${module} doNotPrompt=true; };\n`);
    return [
      ...java,
      `-Djava.security.krb5.conf=${KRB5_CONFIG}`,
      `-Djava.security.auth.login.config=${jaas}`,
      '-Djavax.security.auth.useSubjectCredsOnly=false',
      join(folder, 'Jdbc.java'),
    ];
  }

  test('jTDS by Kerberos', { skip: missing(jtds) ?? false }, async () => {
    const url = `jdbc:jtds:sqlserver://localhost:${port()}/Lab;useKerberos=true`;
    await sees('CORP\\Alice', [...(await javaWithTicket()), url]);
  });

  const microsoft = (options: string) =>
    `jdbc:sqlserver://localhost:${port()};databaseName=Lab;integratedSecurity=true;encrypt=true;trustServerCertificate=true;${options}`;

  test("Microsoft's JDBC driver by Kerberos", { skip: missing(clientPackages['mssql-jdbc']) ?? false }, async () =>
    sees('CORP\\Alice', [...(await javaWithTicket()), microsoft('authenticationScheme=JavaKerberos')]),
  );

  test("Microsoft's JDBC driver by NTLM", { skip: missing(clientPackages['mssql-jdbc']) ?? false }, () => {
    const url = microsoft('authenticationScheme=NTLM;domain=FARM');
    return sees('FARM\\crawler', [...java, join(folder, 'Jdbc.java'), url, 'crawler', 'Secret-1']);
  });

  test('jTDS by NTLM', { skip: missing(jtds) ?? false }, () => {
    const url = `jdbc:jtds:sqlserver://localhost:${port()}/Lab;useNTLMv2=true;domain=FARM`;
    return sees('FARM\\crawler', [...java, join(folder, 'Jdbc.java'), url, 'crawler', 'Secret-1']);
  });

  const integrated = () => {
    const [source, program] = [join(folder, 'Integrated.cs'), join(lab.realm.folder, 'Integrated.exe')];
    const options = `Server=localhost,${port()};Database=Lab;Integrated Security=SSPI`;
    return shell(
      `test -e ${program} || mcs -r:System.Data.dll -out:${program} ${source}; mono ${program} '${options}'`,
    );
  };

  test("Mono's SqlClient by Kerberos, inside SPNEGO", { skip: missing(mono) ?? false }, () =>
    sees('CORP\\Alice', integrated()),
  );

  test("Mono's SqlClient by NTLM, inside SPNEGO", { skip: missing(mono) ?? missing(gssNtlm) ?? false }, async () => {
    const users = join(lab.realm.folder, 'ntlm.users');
    await writeFile(users, 'FARM:crawler:Secret-1\n');
    await sees('FARM\\crawler', integrated(), { NTLM_USER_FILE: users, KRB5CCNAME: 'FILE:/nonexistent' });
  });

  test('tedious by NTLM', async () => {
    const options = { userName: 'crawler', password: 'Secret-1', domain: 'FARM' };
    await using client = await TestClient.open({
      ...lab.server.config('Lab'),
      authentication: { type: 'ntlm', options },
    });
    assert.deepEqual((await client.batch("exec lab_Echo 'called'")).sets, [[{ Text: 'called' }]]);
    assert.deepEqual((await client.batch('select original_login() as who')).sets, [[{ who: 'FARM\\crawler' }]]);
  });
});
