import assert from 'node:assert/strict';
import { copyFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { accountsSchema } from '../../src/accounts/schema.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { SqliteEngine } from '../../src/engine/sqlite/engine.ts';
import { translation } from '../../src/protocols/translation/kind.ts';

/** What a disk holds when the power goes during the first transaction of a file: a journal, and a part of the file. */
async function layBegun(path: string, damage: (path: string) => void): Promise<void> {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'granary-begun-'));
  const begun = join(elsewhere.path, 'begun');
  using database = new DatabaseSync(begun);
  // So that pages go to the file before the commit.
  database.exec('pragma page_size = 2048; pragma cache_size = 1; begin; create table t (x)');
  database.exec(
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < 500) insert into t select i from n',
  );
  for (const ending of ['', '-journal']) copyFileSync(`${begun}${ending}`, `${path}${ending}`);
  assert.ok(statSync(path).size > 0 && statSync(`${path}-journal`).size > 0);
  damage(path);
}

const engineIn = (folder: string) =>
  new SqliteEngine({ folder, schemas: [accountsSchema, translation.schema], clock: systemClock, log: silentLog });

describe('a power loss while a database is created', () => {
  for (const [how, damage] of [
    ['cut short', (path: string) => truncateSync(path, 1024)],
    ['without its first page', (path: string) => writeFileSync(path, Buffer.alloc(4096))],
  ] as const) {
    test(`leaves a file that is ${how}: it is created anew, be it the list of databases or one of them`, async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-cut-'));
      await layBegun(join(folder.path, 'granary.db'), damage);
      await using engine = engineIn(folder.path);
      await engine.start();
      await layBegun(join(folder.path, 'jobs.db'), damage);
      await engine.create('Jobs', translation.name);
      assert.deepEqual(await engine.damage(), new Map());
      assert.deepEqual(
        (await engine.list()).map(({ name }) => name),
        ['Jobs'],
      );
    });
  }
});
