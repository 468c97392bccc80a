import { pathToFileURL } from 'node:url';
import { jsonLog } from '../../../src/base/log/log.ts';
import { Client } from '../../../src/client/client.ts';
import { WorkCrew } from '../../../src/workers/work-crew.ts';

/** A worker as a process that can be killed: `worker-process.ts JSON`. */
const { port, password, database, folder, concurrency = 1 } = JSON.parse(process.argv[2] ?? '{}');
const server = Client.create({ host: '127.0.0.1', port, user: 'sa', password, database: 'master', encryption: 'off' });
const crew = new WorkCrew('convert', server, [database], {
  concurrency,
  timeout: 60_000,
  roots: [pathToFileURL(`${folder}/`)],
  except: [],
  own: false,
  leaseSeconds: 3,
  userAgent: 'test',
  log: jsonLog((line) => process.stderr.write(line), 'error'),
});
await crew.start();
process.once('SIGTERM', async () => {
  await crew.stop();
  await server.close();
});
