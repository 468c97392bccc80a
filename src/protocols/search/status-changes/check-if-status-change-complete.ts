import { type Sql, sql } from '../../../engine/sql.ts';
import { type HandlerInput, procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { isActive } from './active.ts';
import { reasonsOf } from './level.ts';
import { Level } from './params.ts';

const params = {
  CheckIfResetDone: nullable(int, '1 to ask for a reset; the other parameters then do not matter.'),
  CheckIfPauseDone: nullable(int, '1 to ask for a pause.'),
  CheckIfResumeDone: nullable(int, '1 to ask for a resume.'),
  Level,
  Reason: nullable(int, 'The reasons that a resume has lifted (2.2.2.1).'),
};

export const checkIfStatusChangeComplete = procedure({
  name: 'proc_MSS_CheckIfStatusChangeComplete',
  section: 'MS-SQLPGAT2 3.1.5.3',
  summary: 'Returns whether every active component has finished a reset, a pause or a resume.',
  access: 'read',
  params,
  outcomes: {
    open: { code: 0, meaning: 'Some component has not finished.' },
    complete: { code: 1, meaning: 'All of them have.' },
  },
  async handle({ db }, input) {
    const finished = finishedWhen(input);
    if (finished === undefined) return { outcome: 'open' };
    const lagging = await db.first(
      { found: int },
      sql`select 1 as "found" from component_activity a where ${isActive} and not (${finished}) limit 1`,
    );
    return { outcome: lagging === undefined ? 'complete' : 'open' };
  },
});

/** When a component has finished what is asked for; undefined when nothing is. */
function finishedWhen(input: HandlerInput<typeof params>): Sql | undefined {
  if (input.CheckIfResetDone === 1) return sql`a.have_reset_request <> 1`;
  const reasons = reasonsOf(input.Level);
  if (reasons === undefined) return undefined;
  const { desired, current } = reasons;
  if (input.CheckIfPauseDone === 1) return sql`a.${current} = a.${desired} and a.${desired} <> 0`;
  if (input.CheckIfResumeDone !== 1) return undefined;
  return sql`a.${current} = a.${desired} and (a.${desired} & ${input.Reason ?? 0}) = 0`;
}
