import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

const defaults: readonly [written: string, listed: string][] = [
  ['NEWSEQUENTIALID()', '(newsequentialid())'],
  ['(GetDate())', '(getdate())'],
  ["LEFT('ABS(x) it''s LEN(y)', ABS(-3))", "(left('ABS(x) it''s LEN(y)', abs(-3)))"],
  ['CONVERT(varchar(9), GETDATE())', '(CONVERT(varchar(9), getdate()))'],
  ['5', '((5))'],
  ["N'Up (er)'", "(N'Up (er)')"],
];

for (const [written, listed] of defaults) {
  test(`DEFAULT ${written} is listed as ${listed}, as SQL Server writes it`, async () => {
    const host = await openSession();
    await host.use('tempdb');
    const type = written.startsWith('NEW') ? 'uniqueidentifier' : 'varchar(40)';
    const text = `create table listed (v ${type} default ${written})
      select definition from sys.default_constraints where parent_object_id = object_id('listed') drop table listed`;
    const { sets, errors } = await batch(host, text);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, [[listed]]);
  });
}
