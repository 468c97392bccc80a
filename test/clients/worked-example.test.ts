import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { example } from '../conformance/translation/worked-example.ts';
import { password, startServer } from '../support/server.ts';
import { clientPackages } from './packages.ts';
import { missing } from './run.ts';
import { pipe } from './text-client.ts';

const documented = '2010-01-19T14:18:53.397Z';
const skip = missing(clientPackages.tsql) ?? false;

/** How each program is told where to go; both read batches that end in a line `go`. */
const programs = {
  tsql: (port: number) => ['-H', '127.0.0.1', '-p', String(port), '-o', 'q'],
  bsqldb: (port: number) => ['-S', `127.0.0.1:${port}`, '-q'],
};

for (const [program, place] of Object.entries(programs)) {
  test(`MS-TSSPROC 4: the worked example runs as it is printed in ${program}`, { skip }, async () => {
    await using server = await startServer({ clock: new ManualClock(documented) });
    const run = async (text: string) => {
      const login = ['-U', 'sa', '-P', password, '-D', 'TranslationServices', '-t', '|'];
      const { out, errors } = await pipe(program, [...place(server.port), ...login], `${text}\ngo\n`);
      assert.doesNotMatch(errors, /Msg|rror/);
      return out;
    };
    const status = async () => {
      const shown = await run(`create table #status (Total int, NotSubmitted int, NotStarted int, InProgress int,
Succeeded int, Failed int, Canceled int, Name nvarchar(max))
insert #status exec proc_GetJobStatus 1, '93572c0a-d9e1-1395-dab3-932eac7ba30c'
select Total, NotSubmitted, NotStarted, InProgress, Succeeded, Failed, Canceled, convert(nvarchar(9), Name) from #status`);
      return shown.trim().split('\n').at(-1)?.replaceAll(' ', '');
    };
    const [addJob, addGroup, submitJob, getBatch, updateBatch, succeeded, failed] = example.steps;
    await run(addJob.text);
    assert.equal(await status(), '0|0|0|0|0|0|0|testJob');
    await run(addGroup.text);
    assert.equal(await status(), '2|2|0|0|0|0|0|testJob');
    await run(submitJob.text);
    assert.equal(await status(), '2|0|2|0|0|0|0|testJob');
    if (program === 'tsql') {
      // bsqldb cannot print a GUID, and stops at one.
      const rows = await run(getBatch.text);
      assert.match(
        rows,
        /^1\|1\|1\|0\|Aenean%20nec\.docx\|Aenean%20nec_Thai\.docx\|2\|NULL\|NULL\|Jan 19 2010 02:18PM$/m,
      );
      assert.match(
        rows,
        /^1\|1\|2\|0\|Fusce%20aliquet\.docx\|Fusce%20aliquet_Thai\.docx\|2\|NULL\|NULL\|Jan 19 2010 02:18PM$/m,
      );
      assert.match(
        await run(updateBatch.text),
        /^1\|1\|http:\/\/contoso\.com\|http:\/\/contoso\.com\|<settings\/>\|93572C0A-D9E1-1395-DAB3-932EAC7BA30C\|1234567890$/m,
      );
    } else {
      await pipe(
        program,
        [...place(server.port), '-U', 'sa', '-P', password, '-D', 'TranslationServices'],
        `${updateBatch.text}\ngo\n`,
      );
    }
    assert.equal(await status(), '2|0|0|2|0|0|0|testJob');
    await run(succeeded.text);
    assert.equal(await status(), '2|0|0|1|1|0|0|testJob');
    await run(failed.text);
    assert.equal(await status(), '2|0|0|0|1|1|0|testJob');
  });
}
