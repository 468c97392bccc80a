import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readExec } from './exec-call.ts';

describe('calls in a batch', () => {
  test('arguments by place and by name, with OUTPUT and a return code', () => {
    assert.deepEqual(readExec("EXEC @P1 = dbo.[proc_A];1 @P2, @Name = @P3 OUTPUT, 5, N'it''s, so', @P4 out;"), {
      procedure: 'dbo.[proc_A];1',
      result: '@P1',
      args: [
        { variable: '@P2', output: false },
        { name: '@Name', variable: '@P3', output: true },
        { output: false },
        { output: false },
        { variable: '@P4', output: true },
      ],
    });
  });

  test('a call without arguments', () => {
    assert.deepEqual(readExec('  execute proc_A ; '), { procedure: 'proc_A', args: [] });
  });

  test('anything else is no call', () => {
    for (const batch of ['select 1', 'exec', "exec ('select 1')", 'exec a @b; exec c', 'execute a (1)', '']) {
      assert.equal(readExec(batch), undefined, batch);
    }
  });
});
