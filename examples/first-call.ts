/** A first call with tedious: adds a translation job and lists the jobs of its partition. */
import { randomInt, randomUUID } from 'node:crypto';
import { Connection, Request, TYPES } from 'tedious';

const connection = new Connection({
  server: process.env['GRANARY_HOST'] ?? '127.0.0.1',
  authentication: {
    type: 'default',
    options: { userName: 'sa', password: process.env['GRANARY_PASSWORD'] ?? '' },
  },
  options: {
    port: Number(process.env['GRANARY_PORT'] ?? 1433),
    database: 'TranslationServices',
    trustServerCertificate: true, // the certificate of a first start signs itself
  },
});

/** Calls a procedure and prints its rows and its return code. */
function call(
  name: string,
  parameters: readonly [string, (typeof TYPES)[keyof typeof TYPES], unknown][],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new Request(name, (error) => (error ? reject(error) : resolve()));
    for (const [parameter, type, value] of parameters) request.addParameter(parameter, type, value);
    request.on('row', (columns: { metadata: { colName: string }; value: unknown }[]) =>
      console.log(Object.fromEntries(columns.map(({ metadata, value }) => [metadata.colName, value]))),
    );
    request.on('doneProc', (_rowCount, _more, code) => console.log(`${name} returned ${code}`));
    connection.callProcedure(request);
  });
}

await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
const partition = randomUUID();
await call('proc_AddJob', [
  ['JobId', TYPES.BigInt, String(randomInt(2 ** 40))],
  ['UserToken', TYPES.VarBinary, Buffer.from('1234567890', 'hex')],
  ['PartitionId', TYPES.UniqueIdentifier, partition],
  ['Settings', TYPES.NVarChar, '<settings/>'],
  ['Name', TYPES.NVarChar, 'my first job'],
]);
await call('proc_GetJobs', [
  ['PartitionId', TYPES.UniqueIdentifier, partition],
  ['ActiveOnly', TYPES.Bit, false],
  ['SubmittedOnly', TYPES.Bit, false],
]);
connection.close();
