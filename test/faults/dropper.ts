import { Accounts } from '../../src/accounts/accounts.ts';
import { Administration } from '../../src/accounts/administration.ts';
import { systemClock } from '../../src/base/clock.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { createEngine } from '../../src/create-engine.ts';

/** Makes databases with roles on them and drops them again, until somebody ends this process. */
const [data = '', engine = ''] = process.argv.slice(2);
await using opened = await createEngine(settingsWith({ data, engine }));
await opened.start();
const accounts = new Accounts(opened.system, { clock: systemClock, cost: { N: 1024, r: 8, p: 1 } });
const administration = new Administration(opened, accounts);
for (let n = 0; ; n++) {
  const database = `Dropped ${process.pid} ${n}`;
  await administration.createDatabase(database, 'translation');
  await administration.createLogin(`login ${process.pid} ${n}`, 'secret', { database, role: 'writer' });
  await administration.dropDatabase(database);
  process.stdout.write('.');
}
