import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { FarProcess } from './far-process.ts';

test('a helper process stays while its transaction is open, however long the next statement takes to come', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  const idleTime = 20;
  const process = new FarProcess(idleTime);
  try {
    const path = join(folder, 'file.db');
    await writeFile(path, '');
    const file = pathToFileURL(path).href;
    const begin = () => process.run({ kind: 'begin', file, pragmas: '', begin: 'begin immediate' });
    for (const end of [() => process.run({ kind: 'exec', text: 'commit' }), () => process.run({ kind: 'end' })]) {
      await begin();
      await process.run({ kind: 'exec', text: 'create table if not exists t (n)' });
      await delay(idleTime * 3);
      assert.ok(process.isOpen);
      await process.run({ kind: 'run', statements: [{ text: 'insert into t values (?)', parameters: [1] }] });
      await end();
      assert.ok(!process.isOpen);
    }
    await begin();
    const query = { kind: 'query', id: 1, wide: false, gathered: true } as const;
    const { rows } = await process.run({ ...query, text: 'select n from t', parameters: [] });
    assert.deepEqual(rows, [[1]], 'what was committed is there, what was not is gone');
  } finally {
    await process.kill();
    await rm(folder, { recursive: true });
  }
});
