import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../test/support/recorder.ts';
import { openSession } from '../../test/support/session.ts';
import { procedure } from '../procedure/declare.ts';
import { required } from '../procedure/param.ts';
import { datetime } from '../tds/types/index.ts';

const echo = procedure({
  name: 'proc_Echo',
  section: 'test',
  summary: 'Shows a moment.',
  access: 'read',
  params: { At: required(datetime, 'The moment.') },
  outcomes: { shown: { code: 0, meaning: 'Always.', sets: { moments: { At: datetime } } } },
  handle: (_, { At }) => ({ outcome: 'shown', sets: { moments: [{ At }] } }),
});

/** The first column of everything that a batch sends, under SET DATEFORMAT dmy. */
async function underDmy(text: string): Promise<unknown[]> {
  const host = await openSession({ procedures: [echo] });
  const { sets, errors } = await batch(host, `set dateformat dmy ${text}`);
  assert.deepEqual(errors, []);
  return sets.flatMap(({ rows }) => rows.map(([value]) => value));
}

const secondOfJanuary = new Date('2024-01-02T00:00:00Z');

const places = {
  'an argument of a procedure': "exec proc_Echo '02/01/2024'",
  'a variable as an argument': "declare @d varchar(20) = '02/01/2024' exec proc_Echo @At = @d",
  'an argument of a temporary procedure': "exec('create procedure #p @d datetime as select @d') exec #p '02/01/2024'",
  'an argument of sp_executesql': "exec sp_executesql N'select @d', N'@d datetime', '02/01/2024'",
  'SELECT into a variable': "declare @d datetime select @d = '02/01/2024' select @d",
  'FETCH into a variable':
    "declare @d datetime declare c cursor for select '02/01/2024' open c fetch c into @d select @d",
  'a UNION': "select cast('20240102' as datetime) where 1 = 0 union all select '02/01/2024'",
  'INSERT into a column': "create table #t (d datetime) insert #t values ('02/01/2024') select d from #t",
};

for (const [place, text] of Object.entries(places)) {
  test(`SET DATEFORMAT is heeded for ${place}`, async () => {
    assert.deepEqual(await underDmy(text), [secondOfJanuary]);
  });
}

test('SET DATEFORMAT is heeded by ISDATE', async () => {
  assert.deepEqual(await underDmy("select isdate('31/12/2024') select isdate('12/31/2024')"), [1, 0]);
});
