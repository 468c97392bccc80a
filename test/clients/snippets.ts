import type { ClientId } from './packages.ts';

/** A first connection with each client, for docs/clients.md. */
export const snippets: Readonly<Record<ClientId, { readonly language: string; readonly text: string }>> = {
  tedious: {
    language: 'js',
    text: `
new Connection({
  server: 'localhost',
  authentication: { type: 'default', options: { userName: 'sa', password } },
  options: { port: 1433, database: 'TranslationServices', trustServerCertificate: true },
  // TDS 8: options.encrypt 'strict', tdsVersion '8_0', cryptoCredentialsDetails.ca the server's certificate
});`,
  },
  mssql: {
    language: 'js',
    text: `
const pool = await sql.connect({
  server: 'localhost', port: 1433, user: 'sa', password, database: 'TranslationServices',
  options: { trustServerCertificate: true },
});
const { returnValue } = await pool.request().input('JobId', sql.BigInt, 1).execute('proc_SubmitJob');`,
  },
  tsql: { language: 'sh', text: `tsql -H localhost -p 1433 -U sa -P "$PASSWORD" -D TranslationServices` },
  bsqldb: {
    language: 'sh',
    text: `echo "exec proc_SubmitJob 1" | bsqldb -S localhost:1433 -U sa -P "$PASSWORD" -D TranslationServices`,
  },
  freebcp: {
    language: 'sh',
    text: `freebcp tempdb..numbers in numbers.txt -c -S localhost:1433 -U sa -P "$PASSWORD"`,
  },
  isql: {
    language: 'ini',
    text: `
; ~/.odbc.ini, then: isql granary sa "$PASSWORD"
[granary]
Driver = FreeTDS
Server = localhost
Port = 1433
Database = TranslationServices
ClientCharset = UTF-8`,
  },
  pyodbc: {
    language: 'python',
    text: `
pyodbc.connect("DRIVER=FreeTDS;SERVER=localhost;PORT=1433;DATABASE=TranslationServices;UID=sa;"
               f"PWD={{{password}}};TDS_Version=7.4;ClientCharset=UTF-8")`,
  },
  pymssql: {
    language: 'python',
    text: `pymssql.connect(server="localhost", port="1433", user="sa", password=password, database="TranslationServices")`,
  },
  pytds: {
    language: 'python',
    text: `
# cafile is the server's certificate; without it the connection has no TLS
pytds.connect("localhost", port=1433, user="sa", password=password, database="TranslationServices", cafile=cafile)`,
  },
  jtds: {
    language: 'java',
    text: `
DriverManager.getConnection("jdbc:jtds:sqlserver://localhost:1433/TranslationServices;ssl=require", "sa", password);`,
  },
  perl: {
    language: 'perl',
    text: `
$ENV{TDSVER} = '7.1'; # from 7.2 on the driver sets 2 GB aside for each nvarchar(max) column
my $db = DBI->connect('dbi:Sybase:host=localhost;port=1433;database=TranslationServices;charset=UTF-8', 'sa', $password);`,
  },
  php: {
    language: 'php',
    text: `
$db = new PDO('dblib:host=localhost:1433;dbname=TranslationServices;charset=UTF-8', 'sa', $password, [
    PDO::ATTR_DEFAULT_STR_PARAM => PDO::PARAM_STR_NATL,
]);`,
  },
  go: {
    language: 'go',
    text: `
db, err := sql.Open("mssql", "sqlserver://sa:"+password+"@localhost:1433?database=TranslationServices"+
	"&encrypt=true&TrustServerCertificate=true")`,
  },
  'mssql-jdbc': {
    language: 'java',
    text: `
DriverManager.getConnection("jdbc:sqlserver://localhost:1433;databaseName=TranslationServices;"
    + "encrypt=true;trustServerCertificate=true", "sa", password);`,
  },
  mono: {
    language: 'csharp',
    text: `
var connection = new SqlConnection("Data Source=localhost,1433;User ID=sa;Password=" + password
  + ";Initial Catalog=TranslationServices;Encrypt=True;TrustServerCertificate=True");`,
  },
};
