import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

test('OBJECT_ID finds a view of sys only under its schema, which FROM wants too; procedures of the system need none', async () => {
  const host = await openSession();
  await host.use('tempdb');
  const found = async (name: string) =>
    (await batch(host, `select object_id('${name}')`)).sets[0]?.rows[0]?.[0] !== null;
  assert.deepEqual(
    [await found('sys.events'), await found('sys.sp_help'), await found('dbo.sysobjects')],
    [true, true, true],
  );
  assert.deepEqual([await found('sp_help'), await found('sysobjects')], [true, true]);
  assert.deepEqual([await found('events'), await found('[objects]'), await found('COLUMNS')], [false, false, false]);
  assert.deepEqual(
    (await batch(host, "create table events (id int) if object_id('events', 'U') is not null drop table events"))
      .errors,
    [],
  );
  assert.equal(await found('events'), false);
});
