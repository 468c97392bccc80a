import { sqlError } from '../../src/base/messages/sql-error.ts';
import { procedure } from '../../src/procedure/declare.ts';
import { optional, output, required } from '../../src/procedure/param.ts';
import type { SessionHost } from '../../src/session/session-host.ts';
import { int, nvarchar } from '../../src/tds/types/index.ts';
import { openSession } from './session.ts';

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

/** A session that knows proc_Double. */
export const sessionWithDouble = (): Promise<SessionHost> => openSession({ procedures: [double] });
