import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLog } from '../../src/base/log/log.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { InnerWorkers } from '../../src/inner-workers.ts';
import { until } from '../robustness/support/until.ts';
import { JobFarm } from './job-farm.ts';

const settings = '<settings xmlns="urn:granary:job-settings" from="en" to="es"/>';

test('a database that cannot be opened, or is SUSPECT, does not keep the workers from the jobs of the others', async () => {
  await using farm = await JobFarm.start('sqlite');
  await farm.submit('TranslationServices', [{ name: 'a.txt', out: 'b.txt' }], { settings });
  const lines: string[] = [];
  const { granary } = farm.server;
  await using workers = new InnerWorkers({
    settings: settingsWith({ ...granary.settings, workers: 'auto', translatorUrl: new URL('http://127.0.0.1:9/') }),
    server: granary,
    engine: {
      list: async () =>
        ['Damaged', 'Suspect', 'TranslationServices'].map((name) => ({
          name,
          kind: 'translation',
          id: 1,
          created: new Date(),
        })),
      suspects: () => new Map([['Suspect', 'it is empty']]),
    },
    log: jsonLog((line) => lines.push(line)),
  });
  await workers.start();
  await until('the worker has started', () => lines.some((line) => line.includes('worker started')));
  assert.ok(lines.some((line) => /cannot look for jobs.*Damaged/.test(line)));
  assert.ok(!lines.some((line) => line.includes('Suspect')));
});
