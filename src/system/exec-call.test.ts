import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '../base/threads/steps.ts';
import { readExec as readExecSteps } from './exec-call.ts';

const readExec = (batch: string) => atOnce(readExecSteps(batch));

describe('calls in a batch', () => {
  test('arguments by place and by name, with OUTPUT and a return code', () => {
    const call = readExec("EXEC @P1 = dbo.[proc_A];1 @P2, 5, N'it''s, so', -1, @Name = @P3 OUTPUT, @Other = @P4 out;");
    assert.deepEqual(call?.procedure, { schema: 'dbo', name: 'proc_A' });
    assert.equal(call?.result, '@P1');
    assert.deepEqual(
      call?.args.map(({ name, value, output }) => [name, value?.kind === 'variable' ? value.name : undefined, output]),
      [
        [undefined, '@P2', false],
        [undefined, undefined, false],
        [undefined, undefined, false],
        [undefined, undefined, false],
        ['@Name', '@P3', true],
        ['@Other', '@P4', true],
      ],
    );
  });

  test('a call without arguments, and one without the word', () => {
    assert.deepEqual(readExec('  execute proc_A ; '), { procedure: { name: 'proc_A' }, args: [] });
    assert.equal(readExec('proc_A @P1')?.args.length, 1);
  });

  test('anything else is no call', () => {
    for (const batch of ['select 1', 'exec', "exec ('select 1')", 'exec a @b; exec c', 'execute a (1)', '']) {
      assert.equal(readExec(batch), undefined, batch);
    }
  });
});
