import { sqlError } from '../../base/sql-error.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional, output, required } from '../../procedure/param.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import { MemoryHost } from './memory-host.ts';

const double = procedure({
  name: 'proc_Double',
  section: 'test',
  summary: 'Doubles a number.',
  access: 'read',
  params: { Value: required(int, 'in'), Twice: output(int, 'out'), Note: optional(nvarchar(5), null, 'a note') },
  outcomes: { done: { code: 7, meaning: 'done', sets: { rows: { Value: int } } } },
  handle: (_call, { Value }) => {
    if (Value < 0) throw sqlError(547, 'UPDATE', 'CHECK', 'c', 'd', 't', '', '', '');
    return { outcome: 'done', output: { Twice: Value * 2 }, sets: { rows: [{ Value }] } };
  },
});

/** A host that knows proc_Double. */
export function hostWithProcedure(): MemoryHost {
  const host = new MemoryHost();
  host.procedures.push(double);
  return host;
}
