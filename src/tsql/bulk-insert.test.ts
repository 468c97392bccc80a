import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch, Recorder } from '../../test/support/recorder.ts';
import { inTempDb, rows } from '../../test/support/tempdb-session.ts';
import { SqlError } from '../base/messages/sql-error.ts';
import { int } from '../tds/types/index.ts';
import { bulkInsert } from './bulk-insert.ts';

for (const [options, loaded] of [
  ['', 2],
  [' with (CHECK_CONSTRAINTS)', 'error 547'],
] as const) {
  for (const rule of ['check (n > 0)', 'references p (id)']) {
    test(`INSERT BULK${options} of rows against ${rule}: ${loaded}`, async () => {
      const host = await inTempDb(
        `create table p (id int primary key) insert p values (1) create table t (n int ${rule})`,
      );
      await batch(host, `insert bulk t (n int)${options}`);
      const columns = [{ name: 'n', type: int, nullable: true }];
      const load = bulkInsert(host, columns, [[[1], [-1]]], new Recorder(), new AbortController().signal);
      const told = await load.catch((error: unknown) => `error ${error instanceof SqlError ? error.number : error}`);
      assert.equal(told, loaded);
      assert.deepEqual(await rows(host, 'select count(*) from t'), [[loaded === 2 ? 2 : 0]]);
    });
  }
}
