import { jsonLog } from '../../../src/base/log/log.ts';
import { Client } from '../../../src/client/client.ts';
import { CrawlComponent, Master } from '../../../src/workers/crawl/index.ts';
import { usualOptions } from './usual-options.ts';

/** A crawl component, with the master that it may be, as a process that can be killed: `role-process.ts JSON`. */
const { port, password, database, number } = JSON.parse(process.argv[2] ?? '{}');
const admin = Client.create({ host: '127.0.0.1', port, user: 'sa', password, database, encryption: 'off' });
const log = jsonLog((line) => process.stderr.write(line), 'error');
await new CrawlComponent({ admin, log, number, ...usualOptions }).start();
await new Master({ admin, log, number, pollInterval: 50, heartbeat: 500, silence: 1 }).start();
